import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PetFilesModule } from '../../src/pet-files/index.js';
import { migrationsOfModule } from '../../src/platform/database/index.js';
import { MemoryImportLedger } from '../support/memory/memory-import-ledger.js';
import {
  ImportSchema,
  TypeOrmImportLedger,
} from '../../src/pet-files/adapters/typeorm/typeorm-import-ledger.js';
import { type ImportLedger, ImportTaken } from '../../src/pet-files/ports/import-ledger.js';
import { ManualClock } from '../support/clocks.js';
import { type Adapters, overEveryAdapter, type Store } from '../support/stores.js';

type Ledger = { ledger: ImportLedger };
const adapters: Adapters<Ledger> = {
  module: 'pet-files',
  migrations: migrationsOfModule(PetFilesModule),
  schemas: [ImportSchema],
  inMemory: (units) => ({ ledger: new MemoryImportLedger(units) }),
  inTypeOrm: (source) => ({
    ledger: new TypeOrmImportLedger(source.getRepository(ImportSchema), new ManualClock()),
  }),
};

const name = 'animals of May 🐶';
const start = { records: 0, added: 0, refused: 0, hash: 'a'.repeat(64) };
const half = { records: 500, added: 498, refused: 2, hash: 'b'.repeat(64) };

describe('the ledger of imports', () =>
  overEveryAdapter(adapters, (open) => {
    let store: Store<Ledger>;
    beforeEach(async () => (store = await open()));
    afterEach(() => store.close());

    it('rejects the progress of an import that never began', async () => {
      await expect(store.ledger.advance(name, start, half)).rejects.toThrow(ImportTaken);
    });

    it('stores how far each import has come and whether it has ended, by its name', async () => {
      expect(await store.ledger.begin(name, start)).toEqual(start);
      await store.ledger.advance(name, start, half);
      expect(await store.ledger.begin(name, start)).toEqual(half);
      const ended = { ...half, hash: undefined };
      await store.ledger.advance(name, half, ended);
      expect(await store.ledger.begin(name, start)).toEqual(ended);
      expect(await store.ledger.begin('another', start)).toEqual(start);
    });

    it('lets one of ten imports continue that use the same name at once', async () => {
      await store.ledger.begin(name, start);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 10 }, () => store.units.run(() => store.ledger.advance(name, start, half))),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
  }));
