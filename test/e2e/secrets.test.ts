import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, petstore, startBuilt } from '../support/built-service.js';
import { onEveryEngine, type TestDatabase } from '../support/engines.js';
import type { Program } from '../support/program.js';
import { rawRequest } from '../support/raw-request.js';

const CANARY = 'canary-bird-in-a-body';

describe('what is secret', () =>
  onEveryEngine((engine) => {
    let folder: string;
    let database: TestDatabase;
    let service: Program;
    beforeAll(async () => {
      build();
      folder = await mkdtemp(join(tmpdir(), 'petstore-secrets-'));
      database = await engine.create();
    });
    afterAll(() => rm(folder, { recursive: true }));

    it('stands in no answer and no log line, whatever goes wrong', async () => {
      const environment = { DATABASE_URL: database.url, NODE_ENV: 'production', LOG_LEVEL: 'trace' };
      service = startBuilt({ ...environment, MIGRATE_ON_START: 'true', RATE_LIMIT: '20/h' }, folder);
      const origin = (await service.printed(/Pet Store +(http:\S+)\/v1\n/))[1]!;
      const port = Number(new URL(origin).port);
      const secretOf = async (...args: string[]) =>
        (
          JSON.parse(
            (await petstore(['keys', 'issue', '--name', 'x', '--json', ...args], environment)).output,
          ) as { secret: string }
        ).secret;
      const [good, reader] = [await secretOf(), await secretOf('--scopes', 'pets:write')];
      const wrong = `${good.slice(0, -1)}-`;
      const answers: string[] = [];
      const send = async (key: string, path: string, init: RequestInit = {}) => {
        const headers = { Authorization: `Bearer ${key}`, 'X-Canary': CANARY, ...(init.headers as object) };
        answers.push(await (await fetch(origin + path, { ...init, headers })).text());
      };
      const post = (body: string, type = 'application/json') => ({
        method: 'POST',
        body,
        headers: { 'Content-Type': type },
      });

      await send(wrong, '/v1/pets');
      await send(good, `/v1/pets?access_token=${reader}`);
      await send(reader, '/v1/pets');
      await send(good, '/v1/pets/404');
      await send(good, `/v1/${CANARY}`, { method: 'DELETE' });
      await send(good, '/v1/pets', post(`{"name":"${CANARY}`));
      await send(good, '/v1/pets', post(`{"name":7,"status":"${CANARY}"}`));
      await send(good, '/v1/pets', post(CANARY, 'text/plain'));
      await send(good, '/v1/pets', post(`"${CANARY.repeat(10_000)}"`));
      for (let i = 0; i < 20; i++) await send(good, '/v1/pets');
      answers.push(
        await rawRequest(port, `GET /${CANARY} HTTP/1.1\r\nAuthorization: Bearer ${good}\r\nX\r\n\r\n`),
      );
      await database.drop();
      await send(good, '/v1/pets');
      await send(await Promise.resolve(good), '/v1/pets', post('{"name":"Rex","categoryId":7}'));
      const { output } = await service.stop();

      for (const secret of [good, wrong, reader, CANARY]) {
        expect(output).not.toContain(secret);
        for (const answer of answers) expect(answer).not.toContain(secret);
      }
    });
  }));
