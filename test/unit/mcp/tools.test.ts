import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { readArguments } from '../../../mcp/arguments.js';
import { operationsOf } from '../../../mcp/operations.js';
import { readText } from '../../support/read-text.js';

interface Document {
  readonly paths: object;
  readonly components?: object;
}
const DOCUMENT = JSON.parse(readText(resolve('docs/openapi.json'))) as Document;
const REX = { name: 'Rex', categoryId: '7' };

const toolsOf = (document: Document) => operationsOf(document).map(({ tool }) => tool);
const toolNamed = (name: string) => toolsOf(DOCUMENT).find((tool) => tool.name === name)!;

describe('The tools of petstore-mcp', () => {
  it('have schemas that pass the strict mode of Ajv', () => {
    const ajv = new Ajv({ strict: true });
    addFormats.default(ajv);
    for (const { inputSchema, outputSchema } of toolsOf(DOCUMENT))
      for (const schema of [inputSchema, outputSchema]) {
        // A response may have no body, or one that is not JSON.
        if (schema) expect(() => ajv.compile(schema)).not.toThrow();
      }
  });

  it('have a schema that contains itself, and one with a choice, in JSON Schema alone', () => {
    const line = {
      type: 'object',
      example: {},
      properties: { example: { type: 'integer', format: 'int32' } },
    };
    const schema = {
      type: 'object',
      properties: {
        next: { $ref: '#/components/schemas/Line' },
        price: { anyOf: [{ type: 'integer', format: 'int64' }, { type: 'null' }] },
        kind: { description: 'The kind.', allOf: [{ $ref: '#/components/schemas/Kind' }] },
      },
    };
    const { tool } = operationsOf({
      paths: {
        '/lines': {
          post: {
            operationId: 'addLine',
            summary: 'Adds a line.',
            requestBody: { content: { 'application/json': { schema } } },
          },
        },
      },
      components: {
        schemas: {
          Line: { ...line, properties: { ...line.properties, next: { $ref: '#/components/schemas/Line' } } },
          Kind: { type: 'string', enum: ['a', 'b'], description: 'Any kind.' },
        },
      },
    })[0]!;
    expect(tool.inputSchema.properties).toEqual({
      body: {
        type: 'object',
        properties: {
          next: { type: 'object', properties: { example: { type: 'integer' }, next: {} } },
          price: {
            anyOf: [
              { type: 'string', pattern: '^-?[0-9]{1,19}$', description: 'It is text, such as "7".' },
              { type: 'null' },
            ],
          },
          kind: { type: 'string', enum: ['a', 'b'], description: 'The kind.' },
        },
      },
    });
  });

  it('need only what OpenAPI requires of an operation', () => {
    const parameters = [{ name: 'kind', in: 'query', content: { 'text/plain': {} } }];
    const bare = { operationId: 'findCats', parameters, 'x-successor': '/dogs' };
    const { tool } = operationsOf({ paths: { '/cats': { get: bare }, '/dogs': { post: {} } } })[0]!;
    expect(tool).toMatchObject({ name: 'findCats', title: 'findCats', description: '' });
    expect(tool.inputSchema.properties).toEqual({ kind: {} });
  });

  it('are not offered for operations that send or return files', () => {
    const json = { content: { 'application/json': { schema: { type: 'object' } } } };
    const form = { content: { 'multipart/form-data': { schema: { type: 'object' } } } };
    const pdf = { $ref: '#/components/responses/Pdf' };
    const offered = operationsOf({
      paths: {
        '/scans': {
          post: { operationId: 'addScan', requestBody: form, responses: { 201: json, 400: json } },
        },
        '/scans/{id}': {
          get: { operationId: 'readScan', responses: { 200: pdf, 404: json } },
          patch: { operationId: 'nameScan', requestBody: json, responses: { 200: json } },
          delete: { operationId: 'removeScan', responses: { 204: {} } },
        },
      },
      components: { responses: { Pdf: { content: { 'application/pdf': {} } } } },
    });
    expect(offered.map(({ tool }) => tool.name)).toEqual(['nameScan', 'removeScan']);
  });

  it('have texts for agents, which do not send HTTP requests themselves', () => {
    const forPrograms = /`Link`|JSON number|JSON\.parse|commas|GET \/|\$ref|"example"|allOf/;
    const found = toolsOf(DOCUMENT).flatMap((tool) => forPrograms.exec(JSON.stringify(tool))?.[0] ?? []);
    const remedy =
      'Give the operation an `agentDescription`, and a parameter or field the extension `x-agent-description`.';
    expect(found, remedy).toEqual([]);
    expect(toolNamed('getPet').description).toMatch(
      /^Returns one animal by identifier\. Deprecated since .*Call listPets instead\.$/,
    );
    expect(toolNamed('listPets').description).toContain('it names the cursor of the next one');
  });
});

describe('The arguments of a tool', () => {
  const read = (name: string, given: object) => readArguments(toolNamed(name), given) as object;
  const toBe = (id: unknown) => ({ id: [id].flat() });

  it.each([
    ['listPets', { limit: null, cursor: '', status: null, id: null }, {}],
    ['listPets', { limit: ' 5 ', status: ' sold' }, { limit: 5, status: 'sold' }],
    ['listPets', { id: '[1, "2"]' }, toBe([1n, 2n])],
    ['listPets', { id: '1, 2' }, toBe([1n, 2n])],
    ['listPets', { id: 1 }, toBe(1n)],
    ['createPet', { body: { name: ' Rex ', categoryId: 7 } }, { body: { name: ' Rex ', categoryId: 7n } }],
    ['createPet', { body: JSON.stringify(REX) }, { body: { name: 'Rex', categoryId: 7n } }],
  ])('of %s mean what an agent meant: %j', (name, given, expected) => {
    expect(read(name, given)).toEqual(expected);
  });

  it.each([
    ['listPets', { limit: 1000 }, 'limit must be at most 100.'],
    ['listPets', { limit: 'many' }, 'limit must be a whole number, not text.'],
    ['listPets', { id: {} }, 'id must be a list, not an object.'],
    ['listPets', { id: ['x'] }, 'id.0 must be a whole number as text, such as "7".'],
    ['listPets', { constructor: 1 }, 'constructor is unknown. The arguments are limit, cursor, status, id.'],
    ['getPet', { petId: null }, 'petId must be text, not null.'],
    [
      'getPet',
      { petId: 2 ** 53 },
      '9007199254740992 may have lost digits. Send integers beyond 2^53 as text.',
    ],
    ['createPet', {}, 'body is missing.'],
    ['createPet', { body: '{"name":' }, 'body must be an object, not text.'],
    [
      'createPet',
      { ...REX, size: 1 },
      `Put name, categoryId into body, as in ${JSON.stringify({ body: REX })}. size is unknown. The arguments are Idempotency-Key, body.`,
    ],
    [
      'createPet',
      { body: { name: '', foo: 1 } },
      // A team may add fields.
      /^body\.categoryId is missing\. body\.foo is unknown\. The fields of body are name, categoryId, status(, \w+)*\. body\.name must not have fewer than 1 characters\.$/,
    ],
    [
      'createPet',
      { body: { ...REX, status: 'gone' } },
      'body.status must be one of available, pending, sold.',
    ],
    [
      'createPet',
      { 'Idempotency-Key': 'a\nb', body: REX },
      /^Idempotency-Key has characters that are not allowed, /,
    ],
  ])('of %s are rejected in words for an agent: %j', (name, given, message) => {
    expect(() => read(name, given)).toThrow(message);
  });
});
