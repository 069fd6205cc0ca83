import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DailyUsageRepository } from '../../../src/platform/http/deprecation/daily-usage.js';
import { Purge } from '../../../src/platform/database/purge.js';
import { RunningClock } from '../../support/clocks.js';
import { existing, onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { petstore } from '../../support/petstore.js';
import { type Service, startService } from '../../support/service.js';

interface Reported {
  readonly operation: string;
  readonly daysLeft: number;
  readonly gone: boolean;
  readonly callers: { keyId: string; name: string | null; uses: number; lastUsedAt: string }[];
}

/** By the system clock, which commands use. */
const daysLeftOfGetPet = () => Math.floor((Date.parse('2030-12-05') - Date.now()) / 86_400_000);
const titleOfGetPet = (daysLeft: number) =>
  `getPet  GET /pets/{petId}  ${daysLeft >= 0 ? `is removed on 2030-12-05, in ${daysLeft} days` : 'was to be removed on 2030-12-05, and is still served'}`;

describe('who still calls deprecated operations', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let environment: Record<string, string>;
    beforeEach(async () => {
      database = await engine.create();
      environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true', DEPRECATED_OPERATIONS: 'serve' };
    });
    afterEach(() => database.drop());

    const report = async (...args: string[]) => petstore(['deprecations', 'report', ...args], environment);
    const reportedAs = async (...args: string[]) =>
      (JSON.parse((await report('--json', ...args)).stdout) as Reported[])[0]!;
    /** Runs a service until `use` is done; the counts are written when the service stops. */
    const serving = async (
      use: (send: (target: string, key?: string) => Promise<number>, secret: string) => Promise<void>,
      more: Record<string, string> = {},
    ) => {
      const service = await startService(existing(database), {
        environment: { ...environment, ...more },
        clock: new RunningClock(),
      });
      const send = async (target: string, key = service.secret) =>
        (await service.stranger.get(target, { headers: { Authorization: `Bearer ${key}` } })).status;
      await use(send, service.secret);
      await service.stop();
    };
    const issue = async (name: string, ...more: string[]) => {
      const { stdout } = await petstore(['keys', 'issue', '--name', name, '--json', ...more], environment);
      return JSON.parse(stdout) as { id: number; secret: string };
    };

    it('is told by key, the latest first, over restarts, and without strangers', async () => {
      let shop!: { id: number; secret: string };
      let firstKey!: string;
      await serving(async (send, secret) => {
        firstKey = secret;
        shop = await issue('shop window');
        const blind = await issue('blind', '--scopes', 'pets:write');
        expect(await send('/v1/pets/404')).toBe(404);
        expect(await send('/v1/pets/404')).toBe(404);
        expect(await send('/v1/pets/404', 'no-key-of-anybody-that-we-know-of-here')).toBe(401);
        expect(await send('/v1/pets/404', blind.secret)).toBe(403);
        expect(await send('/v1/pets', shop.secret)).toBe(200);
      });
      expect((await reportedAs()).callers).toMatchObject([{ name: 'first start', uses: 2 }]);
      await serving(
        async (send) => {
          expect(await send('/v1/pets/404', firstKey)).toBe(410);
          expect(await send('/v1/pets/404', shop.secret)).toBe(410);
        },
        { DEPRECATED_OPERATIONS: 'gone' },
      );
      const before = daysLeftOfGetPet();
      const { operation, daysLeft, gone, callers } = await reportedAs();
      expect([operation, gone]).toEqual(['getPet', false]);
      expect(callers.map(({ name, uses }) => [name, uses])).toEqual([
        ['shop window', 1],
        ['first start', 3],
      ]);
      expect(callers[0]!.keyId).toBe(String(shop.id));

      const { code, stdout } = await report();
      expect(code).toBe(0);
      const possible = [before, daysLeftOfGetPet()];
      expect(possible).toContain(daysLeft);
      expect(possible.map(titleOfGetPet)).toContain(stdout.split('\n')[0]);
      expect(stdout).toMatch(/\n\d+ +shop window +1 +\d{4}-\d\d-\d\d \d\d:\d\d\n/);
    });

    it('is told from a day on', async () => {
      await serving(async (send) => void (await send('/v1/pets/404')));
      expect((await reportedAs('--since', '2020-01-01')).callers).toHaveLength(1);
      expect((await reportedAs('--since', '9999-01-01')).callers).toEqual([]);
      expect((await report('--since', '9999-01-01')).stdout).toContain('nobody uses it');
      for (const wrong of ['yesterday', '2026-02-30']) expect((await report('--since', wrong)).code).toBe(2);
    });
  }));

describe('replicas that share what they count', () =>
  onEveryEngine((engine) => {
    let one: Service;
    let other: Service;
    beforeAll(async () => {
      one = await startService(engine);
      other = await startService(engine, { beside: one });
    });
    afterAll(async () => {
      await other.stop();
      await one.stop();
    });

    it('lose no use when they write it down at the same time', async () => {
      const use = { operation: 'getPet', keyId: '7', day: '2026-11-20', uses: 3 };
      const replicas = [one, other].map(({ app }) => app.get(DailyUsageRepository));
      const added = replicas.flatMap((replica) =>
        Array.from({ length: 20 }, (_, i) => replica.add({ ...use, lastUsedAt: 1_000 + i })),
      );
      await Promise.all(added);
      const uses = await replicas[0]!.since('2026-11-20');
      expect(uses.filter(({ keyId }) => keyId === '7')).toEqual([
        { operation: 'getPet', keyId: '7', uses: 120, lastUsedAt: 1_019 },
      ]);
    });

    it('forget what is long past, once a day', async () => {
      const [uses, purge] = [one.app.get(DailyUsageRepository), one.app.get(Purge)];
      const add = (day: string) =>
        uses.add({ operation: 'getPet', keyId: '8', day, uses: 1, lastUsedAt: Date.parse(day) });
      const kept = async () => (await uses.since('0000-01-01')).find(({ keyId }) => keyId === '8')?.uses;
      for (const day of ['2023-01-01', '2025-10-15', '2025-10-16', '2026-11-20']) await add(day);
      await purge.run();
      expect(await kept()).toBe(2);
      await add('2023-01-01');
      await purge.run();
      expect(await kept()).toBe(3);
      one.clock.set('2026-11-21T00:00:00Z');
      await purge.run();
      expect(await kept()).toBe(1);
    });
  }));
