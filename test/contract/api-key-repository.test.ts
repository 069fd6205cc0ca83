import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccessModule } from '../../src/access/index.js';
import { migrationsOfModule, Sequences } from '../../src/platform/database/index.js';
import { MemoryApiKeyRepository } from '../support/memory/memory-api-key-repository.js';
import { ApiKeySchema, KeyEventSchema } from '../../src/access/adapters/typeorm/api-key.schema.js';
import { TypeOrmApiKeyRepository } from '../../src/access/adapters/typeorm/typeorm-api-key-repository.js';
import { ApiKey, type KeyEvent } from '../../src/access/domain/api-key.js';
import { KeyNotFound, KeyNotUsable } from '../../src/access/domain/key-errors.js';
import type { ApiKeyRepository } from '../../src/access/ports/api-key-repository.js';
import type { Properties } from '../../src/kernel/index.js';
import type { Settings } from '../../src/platform/config/settings.js';
import { loaded } from '../support/loaded.js';
import { type Adapters, overEveryAdapter, type Store } from '../support/stores.js';

const hash = 'a'.repeat(64);
const full: Properties<ApiKey> = {
  id: 3n,
  name: 'Shop window 🐾',
  secretHash: hash,
  createdAt: 1_795_132_800_001,
  expiresAt: 1_795_132_800_002,
  revokedAt: 1_795_132_800_003,
  rotatedAt: 1_795_132_800_005,
  lastUsedAt: 1_795_132_800_004,
  scopes: ['pets:read', 'orders:write'],
  rate: { limit: 100, seconds: 60 },
};
const { id, name, createdAt } = full;
const plain: Properties<ApiKey> = { id, name, createdAt, secretHash: hash };

const issued: KeyEvent = { keyId: 3n, act: 'issued', actor: 'Änne@laden 🐾', at: 1_795_132_800_001 };
const rotated: KeyEvent = { keyId: 3n, act: 'rotated', actor: 'bo@shop', at: 1_795_132_800_002 };
const ofAnother: KeyEvent = { keyId: 4n, act: 'revoked', actor: 'cy@shop', at: 1_795_132_800_003 };

const SETTINGS = { maxInFlight: 1_000 } as Settings;

type Ports = { keys: ApiKeyRepository };
const adapters: Adapters<Ports> = {
  module: 'access',
  migrations: migrationsOfModule(AccessModule),
  schemas: [ApiKeySchema, KeyEventSchema],
  inMemory: (units) => ({ keys: new MemoryApiKeyRepository(units) }),
  inTypeOrm: (source) => ({
    keys: new TypeOrmApiKeyRepository(
      source.getRepository(ApiKey),
      source.getRepository(KeyEventSchema),
      SETTINGS,
      new Sequences(source),
    ),
  }),
};

describe('the storage of API keys', () =>
  overEveryAdapter(adapters, (open) => {
    let store: Store<Ports>;
    beforeEach(async () => (store = await open()));
    afterEach(() => store.close());

    it.each([full, plain])(
      'returns a key as it was added, each property in its place, with the rate $rate',
      async (added) => {
        await store.keys.add(loaded(ApiKey, added));
        expect(await store.keys.findByHash(hash)).toEqual(loaded(ApiKey, added));
        expect(await store.keys.findByHash('b'.repeat(64))).toBeUndefined();
        expect(await store.keys.find(id)).toEqual(loaded(ApiKey, added));
        expect(await store.keys.find(404n)).toBeUndefined();
      },
    );

    it('finds each key for every caller, however many look at the same time', async () => {
      await store.keys.add(loaded(ApiKey, full));
      await store.keys.add(loaded(ApiKey, { ...plain, id: 4n, secretHash: 'c'.repeat(64) }));
      const hashes = Array.from({ length: 200 }, (_, i) => String(i).padStart(64, 'd'));
      const found = await Promise.all(
        [hash, ...hashes, 'c'.repeat(64)].map((one) => store.keys.findByHash(one)),
      );
      expect(found.map((key) => key?.id)).toEqual([3n, ...hashes.map(() => undefined), 4n]);
    });

    it('stores one of many keys that register the same secret at once, and leaves that key unchanged', async () => {
      const rivals = Array.from({ length: 20 }, (_, i) => loaded(ApiKey, { ...full, id: BigInt(i + 1) }));
      const outcomes = await Promise.all(rivals.map((key) => store.keys.add(key)));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await store.keys.findByHash(hash)).toEqual(rivals[outcomes.indexOf(true)]);
    });

    it('lists the oldest key first', async () => {
      for (const id of [5n, 2n, 9n]) {
        await store.keys.add(loaded(ApiKey, { ...plain, id, secretHash: String(id).repeat(64) }));
      }
      expect((await store.keys.list()).map((key) => key.id)).toEqual([2n, 5n, 9n]);
    });

    it('counts the keys that end between two moments and were neither rotated nor revoked', async () => {
      const count = () => store.keys.countEnding(5_000, 9_000);
      const ends: Partial<Properties<ApiKey>>[] = [
        { expiresAt: 5_001 },
        { expiresAt: 8_999 },
        { expiresAt: 5_000 },
        { expiresAt: 9_000 },
        { expiresAt: 7_000, revokedAt: 10_000 },
        { expiresAt: 7_000, rotatedAt: 1 },
        {},
      ];
      expect(await count()).toBe(0);
      for (const [i, end] of ends.entries())
        await store.keys.add(
          loaded(ApiKey, { ...plain, ...end, id: BigInt(i + 1), secretHash: String(i).repeat(64) }),
        );
      expect(await count()).toBe(2);
    });

    it('changes when a key ends, and nothing else', async () => {
      await store.keys.add(loaded(ApiKey, { ...full, expiresAt: 5_000, revokedAt: 6_000 }));
      const changed = await store.keys.change(full.id, () =>
        loaded(ApiKey, { ...full, expiresAt: 3_000, revokedAt: 4_000 }),
      );
      expect(changed).toMatchObject({ expiresAt: 3_000, revokedAt: 4_000 });
      expect(await store.keys.find(full.id)).toEqual(changed);
    });

    it('leaves a key unchanged when the change is rejected, and reports a key that does not exist', async () => {
      await store.keys.add(loaded(ApiKey, { ...plain, revokedAt: 2 }));
      await expect(store.keys.change(full.id, (key) => key.retire(9, 3))).rejects.toThrow(KeyNotUsable);
      expect(await store.keys.find(full.id)).toEqual(loaded(ApiKey, { ...plain, revokedAt: 2 }));
      await expect(store.keys.change(404n, (key) => key)).rejects.toThrow(KeyNotFound);
    });

    it('keeps the first end when many callers end a key at once', async () => {
      await store.keys.add(loaded(ApiKey, plain));
      const ends = await Promise.all(
        Array.from({ length: 20 }, (_, i) => store.keys.change(full.id, (key) => key.revoke(1_000_000 + i))),
      );
      const kept = (await store.keys.find(full.id))!.revokedAt;
      // A later concurrent call finds the key already revoked.
      expect(ends.map((key) => key.revokedAt)).toContain(kept);
    });

    it('stores when a key was last used, at most once within the interval', async () => {
      await store.keys.add(loaded(ApiKey, plain));
      const lastUse = async () => (await store.keys.find(full.id))!.lastUsedAt;
      await store.keys.recordUse(full.id, 100_000, 60_000);
      expect(await lastUse()).toBe(100_000);
      await store.keys.recordUse(full.id, 159_999, 60_000);
      expect(await lastUse()).toBe(100_000);
      await store.keys.recordUse(full.id, 160_000, 60_000);
      expect(await lastUse()).toBe(160_000);
    });

    it('reports whether any key was ever added', async () => {
      expect(await store.keys.isEmpty()).toBe(true);
      await store.keys.add(loaded(ApiKey, full));
      expect(await store.keys.isEmpty()).toBe(false);
    });

    it('lists what was done to a key, oldest first, without the events of other keys', async () => {
      for (const event of [issued, ofAnother, rotated]) await store.keys.record(event);
      expect(await store.keys.historyOf(3n)).toEqual([issued, rotated]);
      expect(await store.keys.historyOf(404n)).toEqual([]);
    });
  }));
