import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PetFilesModule } from '../../src/pet-files/index.js';
import { migrationsOfModule } from '../../src/platform/database/migrations/migrations.decorator.js';
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
    ledger: new TypeOrmImportLedger(source.getRepository(ImportSchema), new ManualClock(), {
      importDays: 400,
    }),
  }),
};

const source = { name: 'animals.csv', contents: 'a'.repeat(64) };
const start = { line: 0, added: 0, refused: 0 };
const half = { line: 501, added: 498, refused: 2 };

describe('the ledger of imports', () =>
  overEveryAdapter(adapters, (open) => {
    let store: Store<Ledger>;
    beforeEach(async () => (store = await open()));
    afterEach(() => store.close());

    it('knows nothing of an import that never began', async () => {
      expect(await store.ledger.find(source)).toBeUndefined();
      await expect(store.ledger.advance(source, start, half)).rejects.toThrow(ImportTaken);
    });

    it('keeps how far an import has come, each number in its place, under any name', async () => {
      await store.ledger.begin(source);
      expect(await store.ledger.find(source)).toEqual(start);
      await store.ledger.advance(source, start, half);
      await store.ledger.begin({ ...source, name: 'copy.csv' });
      expect(await store.ledger.find({ ...source, name: 'copy.csv' })).toEqual(half);
      expect(await store.ledger.find({ ...source, contents: 'b'.repeat(64) })).toBeUndefined();
    });

    it('lets one of ten go on who import the same at once', async () => {
      await store.ledger.begin(source);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 10 }, () => store.units.run(() => store.ledger.advance(source, start, half))),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('goes back with the unit of work that it is part of', async () => {
      await store.ledger.begin(source);
      const unit = store.units.run(async () => {
        await store.ledger.advance(source, start, half);
        throw new Error('changed my mind');
      });
      await expect(unit).rejects.toThrow('changed my mind');
      expect(await store.ledger.find(source)).toEqual(start);
    });

    it('forgets what is to begin anew', async () => {
      await store.ledger.begin(source);
      await store.ledger.forget(source);
      expect(await store.ledger.find(source)).toBeUndefined();
    });
  }));
