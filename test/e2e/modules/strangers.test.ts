import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { existing, onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const OF_SESSIONS = [
  'SET autocommit = 0',
  'SET FOREIGN_KEY_CHECKS = 0',
  'SET NAMES latin1',
  "SET sql_mode = ''",
  'SET SESSION TRANSACTION READ ONLY',
  'SET TRANSACTION READ ONLY',
  'SET @price = 1',
  'USE information_schema',
  'CREATE TEMPORARY TABLE pets (a INT)',
  "PREPARE price FROM 'SELECT 1'",
  'BEGIN',
  'START TRANSACTION READ ONLY',
  'LOCK TABLES pets READ',
  'FLUSH TABLES WITH READ LOCK',
  'HANDLER pets OPEN',
  "SELECT GET_LOCK('price', 0)",
  'SET ROLE NONE',
];

const OF_SQLITE = [
  'BEGIN',
  ' -- all or nothing\n begin immediate',
  '/* now */ COMMIT',
  'END',
  'ROLLBACK',
  'SAVEPOINT here',
  'RELEASE here',
  'PRAGMA query_only = 1',
  'PRAGMA foreign_keys(0)',
  'PRAGMA main.journal_mode=DELETE',
  "ATTACH ':memory:' AS other",
  'CREATE TEMP TABLE pets (a)',
];

/** Statements with which one module changes the connection that all modules share. */
describe('a statement of a module', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let service: Service;
    let source: DataSource;
    // With one connection the next user gets the connection of the user before.
    const start = async () => {
      service = await startService(existing(database), { environment: { DB_POOL_SIZE: '1' } });
      source = service.app.get(DataSource);
    };
    beforeAll(async () => {
      database = await engine.create();
      await start();
    });
    afterAll(async () => {
      await service.stop();
      await database.drop();
    });

    const add = () => service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    const stored = async () =>
      Number((await database.query('SELECT COUNT(*) AS count FROM pets'))[0]!['count']);
    const addTwo = async () => {
      const before = await stored();
      for (let added = 0; added < 2; added++) expect((await add()).status).toBe(201);
      expect(await stored()).toBe(before + 2);
    };
    const connection = async () => {
      const [row] = await source.query<Record<string, unknown>[]>('SELECT CONNECTION_ID() AS id');
      return row!['id'];
    };

    const onServers = () => {
      it.each(OF_SESSIONS)('does not pass its changes of the session on to others: %s', async (statement) => {
        const before = await connection();
        await source.query(statement);
        expect(await connection()).not.toBe(before);
        const runner = source.createQueryRunner();
        await runner.query(statement);
        await runner.query('SELECT 1');
        await runner.release();
        await addTwo();
      });

      it('keeps its connection if it changes nothing in the session', async () => {
        const before = await connection();
        await addTwo();
        await source.query('UPDATE pets SET category_id = 8');
        await source.transaction(async (manager) => {
          await manager.query('SELECT 1');
          await manager.transaction((deeper) => deeper.query('DELETE FROM pets WHERE id = 0'));
        });
        await source.transaction('SERIALIZABLE', (manager) => manager.query('SELECT 1'));
        await source.transaction(() => Promise.reject(new Error())).catch(() => {});
        await source.query('nonsense').catch(() => {});
        expect(await connection()).toBe(before);
      });
    };

    const onSqlite = () => {
      it.each(OF_SQLITE)(
        'is rejected, with an alternative, if it changes the only connection: %s',
        async (statement) => {
          const refused = /would change the one connection .* Use dataSource\.transaction/;
          await expect(source.query(statement)).rejects.toThrow(refused);
          const runner = source.createQueryRunner();
          await expect(runner.query(statement)).rejects.toThrow(refused);
          await runner.release();
          const before = await stored();
          const undone = source.transaction(async (manager) => {
            await manager.query('DELETE FROM pets');
            await manager.query(statement);
          });
          await expect(undone).rejects.toThrow(refused);
          expect(await stored()).toBe(before);
          await addTwo();
        },
      );

      it('may read settings of the connection, and TypeORM may set its own', async () => {
        expect(await source.query('PRAGMA foreign_keys')).toEqual([{ foreign_keys: 1 }]);
        expect(await source.query('PRAGMA main.table_xinfo("pets")')).not.toEqual([]);
        expect(await source.query('PRAGMA quick_check(1)')).toEqual([{ quick_check: 'ok' }]);
        await source.transaction('READ UNCOMMITTED', (manager) => manager.query('SELECT 1'));
        await source.transaction('SERIALIZABLE', (manager) => manager.query('SELECT 1'));
      });
    };

    if (engine.name === 'SQLite') onSqlite();
    else onServers();

    it('loses nothing that was acknowledged, also after a restart', async () => {
      await addTwo();
      const before = await stored();
      await service.stop();
      await start();
      expect(await stored()).toBe(before);
    });
  }));
