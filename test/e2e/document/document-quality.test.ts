import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate as validateByReadme } from '@readme/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { resolvedDocument } from '../../support/http/resolved-document.js';
import { DOCUMENTED } from '../../support/module-facts.js';

type Part = Record<string, unknown>;

const REDOCLY = join(import.meta.dirname, '../../../node_modules/@redocly/cli/bin/cli.js');
const RULES = join(import.meta.dirname, '../../support/http/redocly.yaml');
const VERSIONS = { 'docs/openapi.json': '3.1.0', 'docs/openapi-3.0.json': '3.0.3' };

const textOf = (path: string) => readFileSync(path, 'utf8');
const document = resolvedDocument(JSON.parse(textOf('docs/openapi.json')) as Part);

/** Every part of the document, with the JSON pointer that leads to it. */
function* parts(value: unknown, pointer = '#'): Generator<[pointer: string, part: Part]> {
  if (typeof value !== 'object' || value === null) return;
  yield [pointer, value as Part];
  for (const [name, part] of Object.entries(value)) {
    yield* parts(part, `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
  }
}

describe('each OpenAPI document', () => {
  it.each(Object.entries(VERSIONS))('%s is valid by OpenAPI %s, in two validators', async (path, version) => {
    const read = () => JSON.parse(textOf(path)) as Part;
    expect(read()['openapi']).toBe(version);
    const { valid, errors } = await new Validator().validate(read());
    expect(valid, `${JSON.stringify(errors)}\n${DOCUMENTED}`).toBe(true);
    const found = await validateByReadme(read() as unknown as Parameters<typeof validateByReadme>[0]);
    expect(found, DOCUMENTED).toMatchObject({ valid: true, warnings: [] });
  });

  it.each(Object.keys(VERSIONS))('%s has no problem by the rules of redocly', (path) => {
    const args = [REDOCLY, 'lint', '--format=json', `--config=${RULES}`, path];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    expect(stdout, `redocly has failed: ${stderr}`).toMatch(/^\{/);
    const { problems } = JSON.parse(stdout) as {
      problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
    };
    const found = problems.map(({ ruleId, message, location }) => [location[0]?.pointer, message, ruleId]);
    expect(found, DOCUMENTED).toEqual([]);
  });
});

describe('the OpenAPI document', () => {
  it('defines each response, header, parameter and example of an error once', () => {
    const { paths, components } = JSON.parse(textOf('docs/openapi.json')) as Part;
    const said = new Map<string, string>();
    for (const [pointer, part] of parts({ paths, components })) {
      const isShared = /\/(?:responses|headers|parameters)\/[^/]+$/.test(pointer) || 'value' in part;
      if (!isShared || '$ref' in part) continue;
      const text = JSON.stringify(part);
      expect(said.get(text), `${pointer} says the same`).toBeUndefined();
      said.set(text, pointer);
    }
    expect(said.size).toBeGreaterThan(50);
  });

  it('has only examples that match their schemas', () => {
    const ajv = new Ajv2020({ strict: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addSchema(document, 'openapi');
    let checked = 0;
    const check = (pointer: string, example: unknown) => {
      const fits = ajv.compile({ $ref: `openapi${pointer}` });
      const fault = () =>
        `${pointer}: ${JSON.stringify(example)} ${ajv.errorsText(fits.errors)}\n${DOCUMENTED}`;
      expect(fits(example), fault()).toBe(true);
      checked += 1;
    };
    for (const [pointer, part] of parts(document)) {
      if ('type' in part && 'example' in part && !pointer.endsWith('/properties'))
        check(pointer, part['example']);
      if (!('schema' in part)) continue;
      if ('example' in part) check(`${pointer}/schema`, part['example']);
      if (!('examples' in part)) continue;
      for (const { value } of Object.values(part['examples'] as Record<string, { value: unknown }>)) {
        check(`${pointer}/schema`, value);
      }
    }
    expect(checked).toBeGreaterThan(40);
  });

  it('has an example for each error that an operation may return', () => {
    for (const [pointer, part] of parts(document['paths'])) {
      const status = Number(pointer.split('/').at(-1));
      if (!(status >= 400) || !('content' in part)) continue;
      const { examples } = (part['content'] as Record<string, { examples?: object }>)['application/json']!;
      expect(Object.keys(examples ?? {}).length, `${pointer} has no example. ${DOCUMENTED}`).toBeGreaterThan(
        0,
      );
    }
  });

  it('has an example for each parameter in a path, because tools need one to call all operations', () => {
    const ofPath = [...parts(document['paths'])].filter(([, part]) => part['in'] === 'path');
    expect(ofPath.length).toBeGreaterThan(1);
    for (const [pointer, part] of ofPath)
      expect(
        part,
        `${pointer} has no example: read it by @Id, or describe it by @ApiParam, then run npm run document.`,
      ).toHaveProperty('example');
  });

  it('has no pattern with a raw quote, because the Python code of a generator would end the text there', () => {
    const patterns = [...parts(document)].flatMap(([, part]) => part['pattern'] ?? []);
    expect(patterns.length).toBeGreaterThan(1);
    for (const pattern of patterns)
      expect(pattern, `Write \\x22 for the quote. ${DOCUMENTED}`).not.toContain('"');
  });

  it('links only to operations that it has, and only with parameters that these accept', () => {
    const operations = Object.values(document['paths'] as Record<string, Record<string, Part>>).flatMap(
      (item) => Object.values(item),
    );
    const links = [...parts(document['paths'])].flatMap(([, part]) =>
      Object.entries((part['links'] ?? {}) as Record<string, { operationId: string; parameters: object }>),
    );
    expect(links.map(([name]) => name)).toEqual(
      expect.arrayContaining(['listPets', 'getOrder', 'updateOrder']),
    );
    for (const [, { operationId, parameters }] of links) {
      const target = operations.find((operation) => operation['operationId'] === operationId) ?? {};
      const names = (target['parameters'] as { name: string }[]).map(({ name }) => name);
      expect(names, `A link leads to ${operationId}. ${DOCUMENTED}`).toEqual(
        expect.arrayContaining(Object.keys(parameters)),
      );
    }
  });

  it('has an example for each field of each shape', () => {
    // Not for parameters: the page would prefill it, and a made-up cursor or key is rejected.
    for (const [pointer, part] of parts(document)) {
      if (!/\/components\/schemas\/\w+\/properties\/\w+$/.test(pointer)) continue;
      // A referenced schema has its own example; a list has the examples of its items.
      if ('$ref' in part || 'allOf' in part || part['type'] === 'array') continue;
      expect(
        part,
        `${pointer} has no example: give its field in the DTO an \`example\`, then run npm run document.`,
      ).toHaveProperty('example');
    }
  });
});
