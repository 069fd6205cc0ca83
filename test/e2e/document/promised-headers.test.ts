import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Document, type Operation, type Schema, Values } from '../../fuzz/arbitraries.js';
import { fittingOf } from '../../fuzz/bodies.js';
import { fittingForm } from '../../fuzz/forms.js';
import { type Fits, judgeOf } from '../../fuzz/judge.js';
import type { Answer } from '../../support/api-client.js';
import { AppointmentsModule } from '../../support/appointments/appointments.module.js';
import { sqlite } from '../../support/engines.js';
import { resolvedDocument } from '../../support/http/resolved-document.js';
import { BerthsModule } from '../../support/modules/berths-module.js';
import { JourneysModule } from '../../support/modules/journeys-module.js';
import { PassportsModule } from '../../support/modules/passports-module.js';
import { unlessTaken } from '../../support/samples.js';
import { type Service, startService } from '../../support/service.js';

/**
 * Headers of every HTTP response, headers that only matter to browsers, and `Cache-Control: no-store` of errors. The OpenAPI document leaves
 * them out.
 */
const NOT_DOCUMENTED = [
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'traceparent',
  'transfer-encoding',
  'x-content-type-options',
  'x-frame-options',
];

/** What an operation needs may be added by another one, so all operations are called several times, deletions at the end. */
const ORDER = ['post', 'put', 'patch', 'get', 'delete'];
const ROUNDS = 3;
/** The ids of the requests: the same id everywhere, or different ids. */
const IDS = [
  [1, 1, 1],
  [2, 2, 2],
  [3, 3, 3],
  [1, 2, 3],
  [2, 3, 1],
  [3, 1, 2],
];

/** The ids of a request, in the order of its path and then of its body. */
interface Round {
  readonly round: number;
  readonly ids: readonly number[];
}

interface Described extends Operation {
  readonly method: string;
  readonly path: string;
}

describe('each operation of the OpenAPI document', () => {
  let service: Service;
  let values: Values;
  let fits: Fits;
  let operations: Described[];
  beforeAll(async () => {
    const modules = [BerthsModule, PassportsModule, ...unlessTaken(AppointmentsModule, JourneysModule)];
    service = await startService(sqlite, { modules });
    const { json } = await service.stranger.get('/openapi.json');
    const document = resolvedDocument(json as unknown as Document);
    values = new Values(document);
    fits = judgeOf(document);
    operations = Object.entries(document.paths)
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({ ...operation, method, path })),
      )
      .toSorted((one, other) => ORDER.indexOf(one.method) - ORDER.indexOf(other.method));
  });
  afterAll(() => service.stop());

  /** The body of the examples with ids of things that exist. In later rounds its texts are others, because names may have to be unique. */
  const jsonOf = (schema: Schema, nextId: () => number, round: number) => {
    const body = fittingOf(values, fits, schema) as Record<string, unknown>;
    for (const [name, value] of Object.entries(body)) {
      const isText = typeof value === 'string' && round > 0;
      const other = name.endsWith('Id') ? nextId() : isText ? `${value} ${round + 1}` : value;
      if (fits(schema, { ...body, [name]: other })) body[name] = other;
    }
    return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) };
  };

  /** Sends a request that fits the document. */
  const call = async (
    { method, path, parameters = [], requestBody }: Described,
    { round, ids }: Round,
    headers = {},
  ) => {
    const query = parameters
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name, schema }) => [name, String(fittingOf(values, fits, schema))]);
    const left = [...ids];
    const nextId = () => left.shift() ?? 1;
    const target = `/v1${path.replaceAll(/\{\w+\}/g, () => String(nextId()))}?${new URLSearchParams(query).toString()}`;
    const json = requestBody?.content['application/json']?.schema;
    const form = requestBody?.content['multipart/form-data']?.schema;
    const body = json
      ? jsonOf(json, nextId, round)
      : form && (await fittingForm(values, fits, form).encode());
    return service.client.send(method.toUpperCase(), target, {
      headers: { ...(body && { 'Content-Type': body.type }), ...headers },
      ...(body && { body: body.bytes }),
    });
  };

  /** The client has checked that the response has the headers that the document promises. */
  const undocumentedIn = ({ operationId, responses }: Described, { status, headers }: Answer) => {
    const promised = Object.keys(responses[status]?.headers ?? {}).map((name) => name.toLowerCase());
    return [...headers.keys()]
      .filter((name) => !promised.includes(name) && !NOT_DOCUMENTED.includes(name))
      .map((name) => `${operationId}: ${status} has ${name}`);
  };

  it('succeeds with a request that fits the document, and sends the headers that the document promises, and no others', async () => {
    const failed = new Map<Described, string>();
    const succeeded = new Set<Described>();
    const undocumented = new Set<string>();
    // Some operations need two different things. An addition that fails may use up an id, so each one is sent only once in the first
    // round, in which the things that it needs may be missing.
    const calls = Array.from({ length: ROUNDS }, (_, round) =>
      operations.flatMap((operation) => {
        const hasIds = operation.path.includes('{') || operation.requestBody !== undefined;
        return (hasIds && round > 0 ? IDS : IDS.slice(0, 1)).map((ids) => ({
          operation,
          with: { round, ids },
        }));
      }),
    );
    for (const { operation, with: given } of calls.flat()) {
      const answer = await call(operation, given);
      if (answer.status < 300) succeeded.add(operation);
      else failed.set(operation, `${operation.operationId}: ${answer.text}`);
      const tag = answer.headers.get('etag');
      const isRead = operation.method === 'get' && answer.status === 200 && tag !== null;
      const answers = isRead ? [answer, await call(operation, given, { 'If-None-Match': tag })] : [answer];
      if (isRead) expect(answers[1]!.status, `${operation.operationId} with If-None-Match`).toBe(304);
      for (const one of answers) for (const text of undocumentedIn(operation, one)) undocumented.add(text);
    }
    expect(
      [...undocumented],
      'Document the header in `headers` of `success` of the @Operation, or let a decorator such as @Attachment() set it.',
    ).toEqual([]);
    const unmet = operations.filter((operation) => !succeeded.has(operation));
    expect(
      unmet.map((operation) => failed.get(operation)),
      'Give the fields of the body examples that the operation accepts together. docs/module-reference.md says which ids the test sends: "Requests of the shared tests".',
    ).toEqual([]);
    expect(operations.length).toBeGreaterThan(15);
  });
});
