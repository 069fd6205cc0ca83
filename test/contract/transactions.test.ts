import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PetsModule } from '../../src/pets/index.js';
import { migrationsOfModule } from '../../src/platform/database/migrations/migrations.decorator.js';
import { PetSchema } from '../../src/pets/adapters/typeorm/pet.schema.js';
import { Pet } from '../../src/pets/domain/pet.js';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { createDataSource, dataSourceOptions } from '../../src/platform/database/create-data-source.js';
import { DatabaseUnavailable } from '../../src/platform/database/database-errors.js';
import type { JoiningDataSource } from '../../src/platform/database/data-source.js';
import { forUpdate } from '../../src/platform/database/queries/query-hints.js';
import { CreateSequences } from '../../src/platform/database/sequence/create-sequences.migration.js';
import { aPet } from '../support/pet-builder.js';
import { onEveryEngine } from '../support/engines.js';

const regret = new Error('changed my mind');
const fail = () => Promise.reject(regret);

describe("TypeORM's own transactions", () =>
  onEveryEngine((engine) => {
    let source: JoiningDataSource;
    let drop: () => Promise<void>;
    beforeEach(async () => {
      const database = await engine.create();
      drop = () => database.drop();
      const options = dataSourceOptions(parseDatabaseUrl(database.url), 5, [
        CreateSequences,
        ...migrationsOfModule(PetsModule),
      ]);
      source = createDataSource({ ...options, entities: [PetSchema] });
      await source.initialize();
      await source.beforeOpen(() => source.runMigrations({ transaction: 'each' }));
      source.open();
    });
    afterEach(async () => {
      await source.destroy();
      await drop();
    });

    const pets = () => source.getRepository(Pet);
    const stored = async () => (await pets().find({ order: { id: 'ASC' } })).map(({ id }) => id);

    it('are right when twenty run at once, and half of them fail', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) =>
          source.transaction(async (manager) => {
            await manager.insert(Pet, aPet({ id: BigInt(i) }));
            if (i % 2 === 1) await fail();
            expect(await manager.existsBy(Pet, { id: BigInt(i) })).toBe(true);
          }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      expect(await stored()).toEqual(Array.from({ length: 10 }, (_, i) => BigInt(2 * i)));
    });

    it('are joined by everything that uses TypeORM, also without the manager', async () => {
      const undone = source.transaction(async () => {
        await pets().insert(aPet({ id: 1n }));
        await source.manager.query(`UPDATE pets SET name = 'Luna'`);
        await source
          .createQueryBuilder()
          .insert()
          .into(Pet)
          .values(aPet({ id: 2n }))
          .execute();
        expect(await stored()).toEqual([1n, 2n]);
        await fail();
      });
      await expect(undone).rejects.toBe(regret);
      expect(await stored()).toEqual([]);
    });

    it('inside another take back only their own when they fail', async () => {
      await source.inTransaction(async () => {
        await pets().insert(aPet({ id: 1n }));
        const inner = source.transaction(async (manager) => {
          await manager.insert(Pet, aPet({ id: 2n }));
          await fail();
        });
        await expect(inner).rejects.toBe(regret);
        await source.manager.transaction((manager) => manager.insert(Pet, aPet({ id: 3n })));
      });
      expect(await stored()).toEqual([1n, 3n]);
    });

    it('are undone with the unit of work that they are part of', async () => {
      const unit = source.inTransaction(async () => {
        await source.transaction((manager) => manager.insert(Pet, aPet({ id: 1n })));
        await fail();
      });
      await expect(unit).rejects.toBe(regret);
      expect(await stored()).toEqual([]);
    });

    it('may be driven by a query runner, and end with it', async () => {
      for (const [id, end] of [
        [1n, 'commitTransaction'],
        [2n, 'rollbackTransaction'],
        [3n, undefined],
      ] as const) {
        const runner = source.createQueryRunner();
        await runner.startTransaction();
        await runner.manager.insert(Pet, aPet({ id }));
        if (end) await runner[end]();
        await runner.release();
      }
      expect(await stored()).toEqual([1n]);
    });

    it('are not joined by what goes on after their end', async () => {
      let later: Promise<unknown> = Promise.resolve();
      let ended = () => {};
      const end = new Promise<void>((resolve) => (ended = resolve));
      // Keeps the context of transactions alive.
      const another = source.inTransaction(() => end);
      if (engine.name === 'SQLite') ended();
      await source.inTransaction(async () => {
        later = end.then(() => pets().insert(aPet({ id: 1n })));
      });
      ended();
      await Promise.all([another, later]);
      expect(await stored()).toEqual([1n]);
    });

    it('can lock a row, or need not', async () => {
      await pets().insert(aPet({ id: 1n, name: 'a' }));
      await Promise.all(
        Array.from({ length: 20 }, () =>
          source.inTransaction(async () => {
            const query = pets().createQueryBuilder('pet').where('pet.id = :id', { id: 1n });
            const pet = await forUpdate(query).getOneOrFail();
            await pets().update({ id: 1n }, { name: `${pet.name}a` });
          }),
        ),
      );
      expect((await pets().findOneByOrFail({ id: 1n })).name).toHaveLength(21);
    });

    it('and all else wait for nobody before the database is open: it is away', async () => {
      const early = createDataSource(source.options);
      await expect(early.getRepository(Pet).find()).rejects.toThrow(DatabaseUnavailable);
      await expect(early.transaction(() => Promise.resolve())).rejects.toThrow(DatabaseUnavailable);
      await early.initialize();
      await expect(early.getRepository(Pet).find()).rejects.toThrow(DatabaseUnavailable);
      await expect(early.query('SELECT 1')).rejects.toThrow(DatabaseUnavailable);
      await early.destroy();
    });

    it('read integers as numbers, and those that no number holds exactly', async () => {
      const [row] = await source.query<Record<string, unknown>[]>(
        'SELECT 9007199254740993 AS large, -9007199254740993 AS small, 42 AS plain',
      );
      expect([String(row!['large']), String(row!['small'])]).toEqual([
        '9007199254740993',
        '-9007199254740993',
      ]);
      expect(row!['plain']).toBe(42);
    });
  }));
