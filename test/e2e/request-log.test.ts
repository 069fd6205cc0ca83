import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, startBuilt } from '../support/built-service.js';
import { onEveryEngine, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import type { Program } from '../support/program.js';

const SECRET = 'bootstrap-key-for-the-test-of-the-log';
const TRACE = '0af7651916cd43dd8448eb211c80319c';

describe('the log of a service', () =>
  onEveryEngine((engine) => {
    let folder: string;
    let database: TestDatabase;
    let service: Program;
    let origin: string;
    beforeAll(async () => {
      build();
      folder = await mkdtemp(join(tmpdir(), 'petstore-log-'));
      database = await engine.create();
      const environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true' };
      service = startBuilt({ ...environment, BOOTSTRAP_API_KEY: SECRET }, folder);
      origin = (await service.printed(/Pet Store +(http:\S+)\/v1\n/))[1]!;
    });
    afterAll(async () => {
      await service.stop();
      await database.drop();
      await rm(folder, { recursive: true });
    });

    const send = (id: string, path: string, init: RequestInit = {}) =>
      fetch(origin + path, {
        ...init,
        headers: { Authorization: `Bearer ${SECRET}`, 'X-Request-Id': id, ...(init.headers as object) },
      });
    const linesOf = (id: string) =>
      service.output.split('\n').filter((line) => line.includes(`"requestId":"${id}"`));
    const lineOf = async (id: string) => {
      await eventually(async () => linesOf(id).length > 0);
      expect(linesOf(id)).toHaveLength(1);
      return JSON.parse(linesOf(id)[0]!) as Record<string, unknown>;
    };

    it('has one line for a request, with who asked what and how it went', async () => {
      const answer = await send('good-1', '/v1/pets?limit=5', {
        headers: { traceparent: `00-${TRACE}-b7ad6b7169203331-01` },
      });
      expect(await lineOf('good-1')).toEqual({
        level: 30,
        time: expect.any(Number) as number,
        context: 'Request',
        requestId: 'good-1',
        traceId: TRACE,
        keyId: expect.stringMatching(/^\d+$/) as string,
        operation: 'listPets',
        method: 'GET',
        status: 200,
        duration: expect.any(Number) as number,
        bytes: (await answer.text()).length,
        msg: 'GET listPets 200',
      });
    });

    it.each([
      ['none', '/v1/nowhere', 404],
      ['none', `/${'x'.repeat(9_000)}`, 414],
      ['livez', '/livez?from=balancer', 200],
      ['readyz', '/readyz', 200],
      ['docs', '/docs/errors', 200],
      ['openapi', '/openapi.yaml', 200],
      ['index', '/', 200],
      ['getPet', '/v1/pets/404404', 404],
      ['listOrders', '/v1/store/orders', 200],
    ])('calls by its name what was asked for: %s', async (operation, path, status) => {
      const id = `name-${operation}-${status}`;
      await (await send(id, path)).text();
      expect(await lineOf(id)).toMatchObject({ level: 30, operation, status });
    });

    it('knows no key of a stranger', async () => {
      await send('stranger', '/v1/pets', { headers: { Authorization: '' } });
      const line = await lineOf('stranger');
      expect(line).toMatchObject({ operation: 'listPets', status: 401 });
      expect(line).not.toHaveProperty('keyId');
    });

    it('has one line for a failure too, whole, with its cause', async () => {
      await database.execute('DROP TABLE orders');
      await send('broken', '/v1/store/orders');
      const line = await lineOf('broken');
      expect(line).toMatchObject({
        level: 50,
        context: 'Error',
        operation: 'listOrders',
        method: 'GET',
        status: 500,
        bytes: expect.any(Number) as number,
        keyId: expect.any(String) as string,
        err: { message: expect.stringMatching(/orders/) as string, stack: expect.any(String) as string },
      });
    });

    it('has failures alone where nothing else is wanted', async () => {
      const own = await engine.create();
      const environment = { DATABASE_URL: own.url, MIGRATE_ON_START: 'true', LOG_SAMPLE: '0' };
      const other = startBuilt({ ...environment, BOOTSTRAP_API_KEY: SECRET }, folder);
      const [, at] = await other.printed(/Pet Store +(http:\S+)\/v1\n/);
      await own.execute('DROP TABLE orders');
      for (const path of ['/livez', '/v1/nowhere', '/v1/store/orders']) {
        await fetch(`${at}${path}`, { headers: { Authorization: `Bearer ${SECRET}` } });
      }
      const { output } = await other.stop();
      await own.drop();
      expect(output).not.toContain('"context":"Request"');
      expect(output.match(/"status":500/g)).toHaveLength(1);
    });
  }));
