import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, startBuilt } from '../support/built-service.js';
import { petstore } from '../support/petstore.js';
import { onEveryEngine, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/local-program.js';
import type { Program } from '../support/program.js';

interface Shown {
  readonly id: number;
  readonly secret: string;
  readonly state: string;
  readonly lastUsedAt: string | null;
  readonly history: { act: string; actor: string }[];
}

describe('petstore keys, beside the running service,', () =>
  onEveryEngine((engine) => {
    let folder: string;
    let database: TestDatabase;
    let environment: Record<string, string>;
    let service: Program;
    let origin: string;
    beforeAll(async () => {
      build();
      folder = await mkdtemp(join(tmpdir(), 'petstore-keys-'));
      database = await engine.create();
      environment = { DATABASE_URL: database.url, NODE_ENV: 'production' };
      service = startBuilt({ ...environment, MIGRATE_ON_START: 'true' }, folder);
      origin = (await service.printed(/Pet Store +(http:\S+)\/v1\n/))[1]!;
    });
    afterAll(async () => {
      await service.stop();
      await database.drop();
      await rm(folder, { recursive: true });
    });

    const keys = async (...args: string[]) => petstore(['keys', ...args], environment);
    const keysAsJson = async (...args: string[]) =>
      JSON.parse((await keys(...args, '--json')).output) as Shown;
    const statusOf = async (secret: string) =>
      (await fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${secret}` } })).status;

    it('issues a key that opens the service, and shows its secret once', async () => {
      const { secret, id } = await keysAsJson(
        'issue',
        '--name',
        'shop',
        '--scopes',
        'pets:read',
        '--rate',
        '100/s',
      );
      expect(secret).toMatch(/^psk_live_[0-9A-Za-z]{46}$/);
      expect(await statusOf(secret)).toBe(200);
      for (const args of [['list'], ['show', String(id)]])
        expect((await keys(...args)).output).not.toContain(secret);
    });

    it('rotates a key: both work, then only the new one', async () => {
      const old = await keysAsJson('issue', '--name', 'rotated');
      const fresh = await keysAsJson('rotate', String(old.id), '--overlap', '1s');
      expect(await statusOf(fresh.secret)).toBe(200);
      await eventually(async () => (await statusOf(old.secret)) === 401);
      expect(await statusOf(fresh.secret)).toBe(200);
    });

    it('revokes a key, which is then refused', async () => {
      const { id, secret } = await keysAsJson('issue', '--name', 'revoked');
      expect(await statusOf(secret)).toBe(200);
      expect(await keysAsJson('revoke', String(id))).toMatchObject({ state: 'revoked' });
      await eventually(async () => (await statusOf(secret)) === 401);
    });

    it('tells what was done to a key, by whom, and when it was last used', async () => {
      const { id, secret } = await keysAsJson('issue', '--name', 'watched');
      await statusOf(secret);
      await eventually(async () => (await keysAsJson('show', String(id))).lastUsedAt !== null);
      await keysAsJson('revoke', String(id));
      const { history } = await keysAsJson('show', String(id));
      expect(history.map(({ act }) => act)).toEqual(['issued', 'revoked']);
      expect(history[0]!.actor).toMatch(/.+@.+/);
    });

    it('finds a service that counts alone because Redis is away, and says so once', async () => {
      const own = await engine.create();
      const redis = { REDIS_URL: `redis://127.0.0.1:${await freePort()}`, RATE_LIMIT: '1000/h' };
      const settings = { DATABASE_URL: own.url, MIGRATE_ON_START: 'true', ...redis };
      const alone = startBuilt(settings, folder);
      const [, url] = await alone.printed(/Pet Store +(http:\S+)\/v1\n/);
      await alone.printed(/Redis cannot be reached/);
      const issued = await petstore(['keys', 'issue', '--name', 'counted', '--json'], settings);
      const { secret } = JSON.parse(issued.output.slice(issued.output.indexOf('{"id"'))) as Shown;
      for (let i = 0; i < 20; i++) {
        const answer = await fetch(`${url}/v1/pets`, { headers: { Authorization: `Bearer ${secret}` } });
        expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"key";r=${999 - i};`));
      }
      const { output } = await alone.stop();
      expect(output.match(/Redis cannot be reached/g)).toHaveLength(1);
      await own.drop();
    });

    it.each<[string[], number]>([
      [['list'], 0],
      [['--help'], 0],
      [['issue'], 2],
      [['issue', '--name', 'x', '--scopes', 'everything'], 2],
      [['issue', '--name', 'x', '--expires', 'soon'], 2],
      [['issue', '--name', 'x', '--rate', 'fast'], 2],
      [['show', 'seven'], 2],
      [['polish'], 2],
      [['show', '404'], 3],
      [['revoke', '404'], 3],
    ])('ends %j with exit code %i', async (args, code) => {
      expect((await keys(...args)).code).toBe(code);
    });

    it('refuses to rotate what has ended, with exit code 4', async () => {
      const { id } = await keysAsJson('issue', '--name', 'ended');
      await keys('revoke', String(id));
      expect((await keys('rotate', String(id))).code).toBe(4);
    });
  }));
