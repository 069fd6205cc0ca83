import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccessModule } from '../../src/access/index.js';
import { migrationsOfModule } from '../../src/platform/database/migrations/migrations.decorator.js';
import { MemoryKeyHistory } from '../support/memory/memory-key-history.js';
import { KeyEventSchema } from '../../src/access/adapters/typeorm/typeorm-key-history.js';
import { TypeOrmKeyHistory } from '../../src/access/adapters/typeorm/typeorm-key-history.js';
import { Sequences } from '../../src/platform/database/sequence/sequences.js';
import type { KeyEvent } from '../../src/access/domain/api-key.js';
import type { KeyHistory } from '../../src/access/ports/key-history.js';
import { type Adapters, overEveryAdapter, type Store } from '../support/stores.js';

const issued: KeyEvent = { keyId: 3n, act: 'issued', actor: 'Änne@laden 🐾', at: 1_795_132_800_001 };
const rotated: KeyEvent = { keyId: 3n, act: 'rotated', actor: 'bo@shop', at: 1_795_132_800_002 };
const other: KeyEvent = { keyId: 4n, act: 'revoked', actor: 'cy@shop', at: 1_795_132_800_003 };

type Ports = { keyHistory: KeyHistory };
const adapters: Adapters<Ports> = {
  module: 'access',
  migrations: migrationsOfModule(AccessModule),
  schemas: [KeyEventSchema],
  inMemory: (units) => ({ keyHistory: new MemoryKeyHistory(units) }),
  inTypeOrm: (source) => ({
    keyHistory: new TypeOrmKeyHistory(source.getRepository(KeyEventSchema), new Sequences(source)),
  }),
};

describe('the history of keys', () =>
  overEveryAdapter(adapters, (open) => {
    let store: Store<Ports>;
    beforeEach(async () => (store = await open()));
    afterEach(() => store.close());

    it('tells what was done to a key, oldest first, and to no other', async () => {
      for (const event of [issued, other, rotated]) await store.keyHistory.record(event);
      expect(await store.keyHistory.of(3n)).toEqual([issued, rotated]);
    });

    it('knows nothing of a key to which nothing was done', async () => {
      expect(await store.keyHistory.of(404n)).toEqual([]);
    });

    it('forgets what was done in a unit of work that failed', async () => {
      const unit = store.units.run(async () => {
        await store.keyHistory.record(issued);
        throw new Error('changed my mind');
      });
      await expect(unit).rejects.toThrow('changed my mind');
      expect(await store.keyHistory.of(3n)).toEqual([]);
    });
  }));
