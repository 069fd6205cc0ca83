import { AsyncLocalStorage } from 'node:async_hooks';
import { type DataSourceOptions, PessimisticLockTransactionRequiredError } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PetsModule } from '../../src/pets/index.js';
import {
  DatabaseUnavailable,
  DuplicateKey,
  forUpdate,
  JoiningDataSource,
  migrationsOfModule,
} from '../../src/platform/database/index.js';
import { CreateSequences, dataSourceOptions } from '../support/rooms/database.js';
import { PetSchema } from '../../src/pets/adapters/typeorm/pet.schema.js';
import { Pet } from '../../src/pets/domain/pet.js';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { aPet } from '../support/pet-builder.js';
import { onMySqlToo, sqlite, type TestDatabase } from '../support/engines.js';

const regret = new Error('changed my mind');
const fail = () => Promise.reject(regret);

/** Code that awaits `passed` continues when the test calls `open`. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open, passed };
}

describe("TypeORM's own transactions", () =>
  onMySqlToo((engine) => {
    let source: JoiningDataSource;
    let database: TestDatabase;
    beforeAll(async () => {
      database = await engine.create();
      const migrations = [CreateSequences, ...migrationsOfModule(PetsModule)];
      const options = dataSourceOptions(parseDatabaseUrl(database.url), 5, migrations);
      source = new JoiningDataSource({ ...options, entities: [PetSchema] });
      await source.initialize();
      await source.beforeOpen(() => source.runMigrations({ transaction: 'each' }));
      source.open();
    });
    beforeEach(() => source.query('DELETE FROM pets'));
    afterAll(async () => {
      await source.destroy();
      await database.drop();
    });

    const pets = () => source.getRepository(Pet);
    const stored = async () => (await pets().find({ order: { id: 'ASC' } })).map(({ id }) => id);

    it.each(['a statement waits for its response', 'a statement follows', 'none follows'])(
      'end after five seconds, also when %s',
      async (when) => {
        vi.useFakeTimers({ toFake: ['setTimeout'] });
        const [begun, released] = [gate(), gate()];
        const unit = source.transaction(async (manager) => {
          await manager.insert(Pet, aPet({ id: 1n }));
          begun.open();
          if (when.includes('waits') && engine.name !== 'SQLite') await manager.query('SELECT SLEEP(3)');
          await released.passed;
          if (when !== 'none follows') await manager.insert(Pet, aPet({ id: 2n }));
        });
        const outcome = expect(unit).rejects.toThrow(DatabaseUnavailable);
        await begun.passed;
        vi.advanceTimersByTime(5_000);
        vi.useRealTimers();
        // Its locks are released, although its code still runs.
        await pets().insert(aPet({ id: 1n }));
        released.open();
        await outcome;
        expect(await stored()).toEqual([1n]);
        await source.transaction((manager) => manager.insert(Pet, aPet({ id: 3n })));
        expect(await stored()).toEqual([1n, 3n]);
      },
    );

    it('include everything that uses TypeORM, also without the manager', async () => {
      const undone = source.transaction(async () => {
        await pets().insert(aPet({ id: 1n }));
        await source.manager.query(`UPDATE pets SET name = 'Luna'`);
        await pets()
          .createQueryBuilder()
          .insert()
          .values(aPet({ id: 2n }))
          .execute();
        expect(await stored()).toEqual([1n, 2n]);
        await fail();
      });
      await expect(undone).rejects.toBe(regret);
      expect(await stored()).toEqual([]);
    });

    it('are needed for locked rows, on each engine', async () => {
      const locked = async () => forUpdate(pets().createQueryBuilder('pet')).getMany();
      await expect(locked()).rejects.toThrow(PessimisticLockTransactionRequiredError);
      expect(await source.run(locked)).toEqual([]);
    });

    it('can be controlled by a query runner, and end with the query runner', async () => {
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

    it('that wait for themselves report it, because calls outside the query runner are not part of its transaction', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const runner = source.createQueryRunner();
      await runner.startTransaction();
      await runner.manager.insert(Pet, aPet({ id: 1n }));
      const apart = pets().count();
      // The count runs on a separate connection. It is awaited here because it must not see the next insert either.
      if (engine.name !== 'SQLite') expect(await apart).toBe(0);
      const others = source.transaction((manager) => manager.insert(Pet, aPet({ id: 2n })));
      vi.advanceTimersByTime(6_000);
      vi.useRealTimers();
      if (engine.name === 'SQLite') {
        const reason = expect.stringContaining('6 s') as string;
        for (const waiting of [apart, others])
          await expect(waiting).rejects.toMatchObject({ cause: { message: reason } });
        expect(source.usage()).toEqual({ used: 1, free: 0, waiting: 0 });
      } else expect(await others).toMatchObject({});
      await runner.commitTransaction();
      await runner.release();
      expect(await stored()).toContain(1n);
    });

    it('do not include work that continues after their end', async () => {
      let later: Promise<unknown> = Promise.resolve();
      const end = gate();
      // Keeps the context of transactions alive.
      const another = source.run(() => end.passed);
      if (engine.name === 'SQLite') end.open();
      await source.run(async () => {
        later = end.passed.then(() => pets().insert(aPet({ id: 1n })));
      });
      end.open();
      await Promise.all([another, later]);
      expect(await stored()).toEqual([1n]);
    });

    it('store nothing of the work that runs beside a part that fails', async () => {
      await pets().insert(aPet({ id: 1n }));
      for (const byHand of [false, true]) {
        let beside: Promise<unknown> = Promise.resolve();
        const undone = source.transaction((manager) => {
          const mine = byHand ? manager.getRepository(Pet) : pets();
          beside = (async () => {
            for (const id of [2n, 3n, 4n, 5n, 6n]) {
              await mine.findOneBy({ id });
              await mine.save(aPet({ id }));
              await mine.insert(aPet({ id: id + 10n }));
              await source.query(`UPDATE pets SET name = 'Luna'`);
            }
          })();
          return Promise.all([mine.insert(aPet({ id: 1n })), beside]);
        });
        await expect(undone).rejects.toThrow(DuplicateKey);
        await expect(beside).rejects.toThrow(Error);
        expect((await pets().find()).map(({ id, name }) => [id, name])).toEqual([[1n, aPet({}).name]]);
      }
    });

    it('reject work that a failed transaction left running, but not what the caller does afterwards', async () => {
      const [undoneIsOver, innerIsOver] = [gate(), gate()];
      let later: Promise<unknown> = Promise.resolve();
      const undone = source.run(async () => {
        later = undoneIsOver.passed.then(() => source.run(() => pets().insert(aPet({ id: 1n }))));
        await fail();
      });
      await expect(undone).rejects.toBe(regret);
      undoneIsOver.open();
      await expect(later).rejects.toThrow('await everything that it starts');
      await source.transaction(async (manager) => {
        let beside: Promise<unknown> = Promise.resolve();
        const inner = source.transaction(async () => {
          beside = innerIsOver.passed.then(() => pets().insert(aPet({ id: 2n })));
          await fail();
        });
        await expect(inner).rejects.toBe(regret);
        innerIsOver.open();
        await expect(beside).rejects.toThrow('await everything that it starts');
        await manager.insert(Pet, aPet({ id: 3n }));
      });
      expect(await stored()).toEqual([3n]);
    });

    it('cannot be ended by code that has joined them', async () => {
      const undone = source.run(async () => {
        await pets().insert(aPet({ id: 1n }));
        {
          await using runner = source.createQueryRunner();
          await runner.query('SELECT 1');
        }
        const runner = source.createQueryRunner();
        await expect(runner.commitTransaction()).rejects.toThrow('throw an error');
        await expect(runner.rollbackTransaction()).rejects.toThrow('throw an error');
        for (const [id, end] of [
          [2n, 'commitTransaction'],
          [3n, 'rollbackTransaction'],
        ] as const) {
          await runner.startTransaction();
          await pets().insert(aPet({ id }));
          await runner[end]();
        }
        await runner.release();
        expect(await stored()).toEqual([1n, 2n]);
        await fail();
      });
      await expect(undone).rejects.toBe(regret);
      expect(await stored()).toEqual([]);
    });

    it('run one after another inside another transaction, and each rolls back only its own changes', async () => {
      const steps: string[] = [];
      const insert = (id: bigint, during: () => Promise<unknown>) =>
        source.transaction(async (manager) => {
          steps.push(`begin ${id}`);
          await manager.insert(Pet, aPet({ id }));
          await manager.transaction((deeper) => deeper.insert(Pet, aPet({ id: id + 10n })));
          await during();
          steps.push(`end ${id}`);
        });
      const [firstBegun, othersWait] = [gate(), gate()];
      await source.run(async () => {
        const first = insert(1n, async () => {
          firstBegun.open();
          await othersWait.passed;
          await fail();
        });
        await firstBegun.passed;
        // A statement of the second follows while the third waits.
        const others = [insert(2n, () => stored()), insert(3n, async () => {})];
        othersWait.open();
        const ended = await Promise.allSettled([first, ...others]);
        expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
      });
      expect(steps).toEqual(['begin 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
      expect(await stored()).toEqual([2n, 3n, 12n, 13n]);
    });

    it('that the database has rolled back store nothing more, even if the code catches the error', async () => {
      await pets().insert([aPet({ id: 1n }), aPet({ id: 2n })]);
      const rename = (id: bigint) => pets().update({ id }, { name: 'Luna' });
      const isSqlite = engine.name === 'SQLite';
      const [firstHolds, otherHolds] = [gate(), gate()];
      const lose = async () => {
        if (isSqlite) return source.query(`INSERT OR ROLLBACK INTO pets SELECT * FROM pets`);
        await rename(1n);
        firstHolds.open();
        await otherHolds.passed;
        return rename(2n);
      };
      let lost: unknown;
      const caught = source.transaction(async (manager) => {
        await manager.insert(Pet, aPet({ id: 3n }));
        await manager.transaction(lose).catch((error: unknown) => (lost = error));
        await manager.insert(Pet, aPet({ id: 4n }));
      });
      const other = source.transaction(async (manager) => {
        if (isSqlite) return;
        // The transaction with more changes wins the deadlock.
        for (let id = 20n; id < 30n; id++) await manager.insert(Pet, aPet({ id }));
        await rename(2n);
        otherHolds.open();
        await firstHolds.passed;
        await rename(1n);
      });
      const [{ reason }] = (await Promise.allSettled([caught, other])) as [PromiseRejectedResult, unknown];
      expect(lost).toBeInstanceOf(isSqlite ? DuplicateKey : DatabaseUnavailable);
      expect(reason).toBe(lost);
      expect((await stored()).filter((id) => id < 20n)).toEqual([1n, 2n]);
      const runner = source.createQueryRunner();
      await runner.startTransaction();
      await runner.manager.insert(Pet, aPet({ id: 5n }));
      await runner.commitTransaction();
      await runner.release();
      expect(await stored()).toContain(5n);
    });

    it('and other calls fail at once before the database is open', async () => {
      const early = new JoiningDataSource(source.options);
      await expect(early.getRepository(Pet).find()).rejects.toThrow(DatabaseUnavailable);
      await expect(early.transaction(() => Promise.resolve())).rejects.toThrow(DatabaseUnavailable);
      await early.initialize();
      await expect(early.getRepository(Pet).find()).rejects.toThrow(DatabaseUnavailable);
      await expect(early.query('SELECT 1')).rejects.toThrow(DatabaseUnavailable);
      await early.destroy();
    });

    it('and single statements bind true and false', async () => {
      const [row] = await source.query<Record<string, unknown>[]>('SELECT ? AS yes, ? AS no', [true, false]);
      // MySQL returns literals as BIGINT, in text.
      expect([Number(row!['yes']), Number(row!['no'])]).toEqual([1, 0]);
    });

    it('and single statements fail after the database is closed, and promises are not tracked any more', async () => {
      const closed = new JoiningDataSource(source.options);
      await closed.initialize();
      closed.open();
      expect(await closed.query('SELECT 1 AS one')).toHaveLength(1);
      const disable = vi.spyOn(AsyncLocalStorage.prototype, 'disable');
      await closed.destroy();
      expect(disable).toHaveBeenCalledOnce();
      await expect(closed.query('SELECT 1 AS one')).rejects.toThrow(DatabaseUnavailable);
    });

    it('of a query runner are rolled back with their savepoints when it is released', async () => {
      const lost = async () => {
        const runner = source.createQueryRunner();
        try {
          await runner.startTransaction();
          await runner.manager.insert(Pet, aPet({ id: 1n }));
          await runner.startTransaction();
          await runner.manager.insert(Pet, aPet({ id: 2n }));
          await fail();
        } finally {
          await runner.release();
          expect(runner).toMatchObject({ isReleased: true, isTransactionActive: false, transactionDepth: 0 });
        }
      };
      await expect(lost()).rejects.toBe(regret);
      // On SQLite a transaction that still had the connection would make this wait, and then fail.
      await pets().insert(aPet({ id: 3n }));
      expect(await stored()).toEqual([3n]);
    });

    it('store nothing while statements are rejected, although the work has begun before', async () => {
      const refusal = new DatabaseUnavailable(new Error('the file was replaced'), 'damaged');
      onTestFinished(() => void (source.refusal = undefined));
      const unit = source.transaction(async (manager) => {
        await manager.insert(Pet, aPet({ id: 1n }));
        source.refusal = refusal;
      });
      await expect(unit).rejects.toMatchObject({ code: 'database_unavailable', cause: refusal.cause });
      source.refusal = undefined;
      expect(await stored()).toEqual([]);
    });

    it('by hand leave nothing to others, whatever columns are called', async () => {
      const one = new JoiningDataSource({ ...source.options, poolSize: 1 } as DataSourceOptions);
      await one.initialize();
      onTestFinished(() => one.destroy());
      one.open();
      const runner = one.createQueryRunner();
      const begun = runner.query('BEGIN');
      if (engine === sqlite) await expect(begun).rejects.toThrow('everybody shares');
      else await begun;
      await runner.query('SELECT 0 AS serverStatus, 1 AS affectedRows');
      await runner.release();
      await one.getRepository(Pet).insert(aPet({ id: 1n }));
      expect(await stored()).toEqual([1n]);
    });

    it('return integers as numbers, and large integers exactly', async () => {
      await source.query('CREATE TABLE numbers (plain INTEGER)');
      await source.query('INSERT INTO numbers VALUES (42)');
      const [row] = await source.query<Record<string, unknown>[]>(
        'SELECT 9007199254740993 AS large, -9007199254740993 AS small, plain FROM numbers',
      );
      expect([String(row!['large']), String(row!['small'])]).toEqual([
        '9007199254740993',
        '-9007199254740993',
      ]);
      expect(row!['plain']).toBe(42);
    });
  }));
