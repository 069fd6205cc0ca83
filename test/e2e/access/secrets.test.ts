import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../../src/app.module.js';
import { ErrorCatalogue } from '../../support/rooms/http.js';
import { RunningClock } from '../../support/clocks.js';
import { existing, onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { factsOfModules, type Provoker } from '../../support/module-facts.js';
import { petstore } from '../../support/petstore.js';
import { rawRequest } from '../../support/http/raw-request.js';
import { Recorder } from '../../support/site/recorder.js';
import { type Service, startService } from '../../support/service.js';

const CANARY = 'canary-bird-in-a-body';
/**
 * Codes that need many concurrent requests, a route that takes uploads, or a service or database that hangs, stops or is unavailable; tests
 * of those cases cover them. The others are the codes of a module's own exceptions (`error-response.test.ts`).
 */
const NOT_PROVOKED = [
  'bad_request',
  'conflict',
  'database_read_only',
  'database_unavailable',
  'forbidden',
  'gone',
  'idempotency_in_progress',
  'length_required',
  'not_acceptable',
  'not_found',
  'overloaded',
  'precondition_failed',
  'service_unavailable',
  'shutting_down',
  'too_many_requests',
  'unauthorized',
  'unprocessable_entity',
];

describe('a secret', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await engine.create();
    });
    afterAll(() => database.drop());

    it('appears in no response and no log line, whatever goes wrong', async () => {
      const production = { NODE_ENV: 'production', LOG_LEVEL: 'trace', DEPRECATED_OPERATIONS: 'serve' };
      const log = new Recorder();
      const start = (on: Parameters<typeof startService>[0], more = {}) =>
        startService(on, { environment: { ...production, ...more }, clock: new RunningClock(), log });
      const originOf = ({ port }: Service) => `http://127.0.0.1:${port}`;
      const service = await start(existing(database));
      const origin = originOf(service);
      const bootstrap = { BOOTSTRAP_API_KEY: 'bootstrap-key-for-the-test-of-secrets' };
      const later = await start(engine, { DEPRECATED_OPERATIONS: 'gone', ...bootstrap });
      const environment = { DATABASE_URL: database.url, ...production };
      const secretOf = async (...args: string[]) => {
        const { stdout } = await petstore(['keys', 'issue', '--name', 'x', '--json', ...args], environment);
        return (JSON.parse(stdout) as { secret: string }).secret;
      };
      const [good, writer, slow] = [
        await secretOf(),
        await secretOf('--scopes', 'pets:write'),
        await secretOf('--rate', '1/h'),
      ];
      const wrong = `${good.slice(0, -1)}-`;

      const answers: string[] = [];
      const send = async (key: string, path: string, init: RequestInit = {}, at = origin) => {
        const headers = {
          Authorization: `Bearer ${key}`,
          'X-Canary': CANARY,
          traceparent: CANARY,
          ...(init.headers as object),
        };
        const answer = await (await fetch(at + path, { ...init, headers })).text();
        answers.push(answer);
        return answer;
      };
      const write = (method: string, body: string, headers: Record<string, string> = {}) => ({
        method,
        body,
        headers: { 'Content-Type': 'application/json', ...headers },
      });
      const post = (body: string, headers = {}) => write('POST', body, headers);
      const raw = async (request: string) =>
        answers.push(await rawRequest(service.port, request.replaceAll('\n', '\r\n')));
      const pet = `{"name":"${CANARY}","categoryId":7}`;
      const provoker: Provoker = {
        send: async (method, path, body) =>
          void (await send(good, `/v1${path}`, body ? write(method, JSON.stringify(body)) : { method })),
        // A success response echoes the accepted values, which is no leak, so it is not checked; only its id is used.
        add: async (path, body) => {
          const answer = await send(good, `/v1${path}`, post(JSON.stringify(body)));
          answers.splice(answers.indexOf(answer), 1);
          return (JSON.parse(answer) as { id: number }).id;
        },
      };

      const key = `Authorization: Bearer ${good}\n`;
      // The service waits 5 s of real time for the rest of this request; the other requests are sent meanwhile.
      const half = raw(`GET /${CANARY} HTTP/1.1\nHost: a\n${key}X-Half`);
      answers.push(await (await fetch(`${origin}/v1/pets`)).text());
      await send(wrong, '/v1/pets');
      await send(writer, '/v1/pets');
      for (let i = 0; i < 2; i++) await send(slow, '/v1/pets?limit=1');
      await send(good, `/v1/pets?access_token=${writer}`);
      await send(good, '/v1/pets?limit=many');
      await send(good, `/v1/pets?cursor=${CANARY}`);
      // Requests an unknown id in every module.
      const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as { paths: object };
      for (const [path, operations] of Object.entries(paths) as [string, object][]) {
        if (path.includes('{') && 'get' in operations)
          await send(good, `/v1${path.replaceAll(/\{\w+\}/g, '404404')}`);
      }
      await send(bootstrap.BOOTSTRAP_API_KEY, '/v1/pets/404', {}, originOf(later));
      await send(good, `/v1/${CANARY}`);
      await send(good, '/v1/pets', { method: 'DELETE' });
      await send(good, '/v1/pets', post(`{"name":"${CANARY}`));
      await send(good, '/v1/pets', post(`{"name":7,"status":"${CANARY}"}`));
      await send(good, '/v1/pets', post(CANARY, { 'Content-Type': 'text/plain' }));
      await send(good, '/v1/pets', post(`"${CANARY.repeat(10_000)}"`));
      await send(good, '/v1/pets', post(pet, { 'Idempotency-Key': '"' }));
      await send(good, '/v1/pets', post('{"name":"Rex","categoryId":7}', { 'Idempotency-Key': CANARY }));
      await send(good, '/v1/pets', post(pet, { 'Idempotency-Key': CANARY }));
      await provoker.add('/pets', { name: CANARY, categoryId: 7 });
      for (const { provoke } of await factsOfModules()) await provoke?.(provoker);
      await raw(`GET /${CANARY} HTTP/1.1\n${key}X\n\n`);
      await raw(`GET /${CANARY.repeat(1_000)} HTTP/1.1\nHost: a\n${key}\n`);
      await raw(`GET / HTTP/1.1\nHost: a\n${key}X: ${CANARY.repeat(1_000)}\n\n`);
      await send(good, '/v1/pets?status=sold'); // again, so that the key is cached when the table is broken
      await database.execute(
        engine.name === 'SQLite'
          ? 'ALTER TABLE pets RENAME COLUMN name TO label'
          : 'ALTER TABLE pets CHANGE name label TEXT',
      );
      await send(good, '/v1/pets', post(pet));

      await half;
      await service.stop();
      await later.stop();
      const codes = new Set(answers.flatMap((answer) => /"code":"(\w+)","message"/.exec(answer)?.[1] ?? []));
      const unmet = [...service.app.get(ErrorCatalogue).all().keys()].filter((code) => !codes.has(code));
      expect(
        unmet.toSorted(),
        'A code with + is provoked by no test: send a request that returns it in `provoke` of test/modules/<module>.ts',
      ).toEqual(NOT_PROVOKED);
      expect(log.text).toMatch(/INSERT INTO \W*pets/);
      expect(log.text).toContain('POST createPet 201');
      const secrets = [good, wrong, writer, slow, bootstrap.BOOTSTRAP_API_KEY, CANARY];
      const leaksIn = (texts: string[]) =>
        texts.filter((text) => secrets.some((secret) => text.includes(secret)));
      expect(
        leaksIn(log.text.split('\n')),
        'A value that a client sent is in the log: do not log it, nor an error that contains it',
      ).toEqual([]);
      expect(
        leaksIn(answers),
        'A value that a client sent is in an error response: leave it out of the message of the DomainError',
      ).toEqual([]);
    });
  }));
