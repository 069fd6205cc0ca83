import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseDatabaseUrl } from '../../../src/platform/config/database-url.js';
import { DatabaseUnavailable, JoiningDataSource } from '../../../src/platform/database/index.js';
import type { DatabaseServer } from '../../support/databases/database-server.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { MySqlServer } from '../../support/databases/mysql-server.js';
import { WITHOUT_THE_DISK } from '../../support/databases/server-arguments.js';
import { mySql } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { readText } from '../../support/read-text.js';
import { dataSourceOptions } from '../../support/rooms/database.js';
import { startService } from '../../support/service.js';

/** Settings that change what a statement means or whether it may run, with an odd value for each; a server has most of them. */
const ODD: Readonly<Record<string, string | number>> = {
  autocommit: 0,
  character_set_client: 'latin1',
  character_set_connection: 'latin1',
  character_set_results: 'latin1',
  character_set_server: 'latin1',
  check_constraint_checks: 0,
  collation_connection: 'latin1_german2_ci',
  completion_type: 'CHAIN',
  default_storage_engine: 'MyISAM',
  foreign_key_checks: 0,
  innodb_lock_wait_timeout: 1,
  lc_messages: 'de_DE',
  lock_wait_timeout: 1,
  max_execution_time: 50,
  max_join_size: 1,
  max_sort_length: 64,
  max_statement_time: 0.05,
  sql_auto_is_null: 1,
  sql_big_selects: 0,
  sql_if_exists: 1,
  sql_mode: 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH',
  sql_safe_updates: 1,
  sql_select_limit: 1,
  system_versioning_asof: '2001-01-01 00:00:00',
  time_zone: '+05:30',
  transaction_isolation: 'SERIALIZABLE',
  tx_isolation: 'SERIALIZABLE',
  unique_checks: 0,
  wsrep_dirty_reads: 1,
  wsrep_sync_wait: 0,
  // The service leaves these as they are.
  auto_increment_increment: 10,
  explicit_defaults_for_timestamp: 0,
  innodb_snapshot_isolation: 1,
  sql_generate_invisible_primary_key: 1,
  sql_require_primary_key: 1,
};

const literal = (value: string | number) => (/^[\d.]+$/.test(String(value)) ? String(value) : `'${value}'`);

/** What the first step of operators grants: no more is needed. */
const [, PRIVILEGES] = /^ *GRANT (.+) ON petstore\.\* TO /m.exec(readText('docs/operations.md'))!;

/** The responses and the stored rows of a sequence of requests that covers the service. */
async function story(server: DatabaseServer) {
  await server.query(
    'DROP DATABASE IF EXISTS petstore',
    'CREATE DATABASE petstore',
    `GRANT ${PRIVILEGES} ON petstore.* TO app`,
  );
  const database = { url: server.url('petstore', 'app'), drop: () => Promise.resolve() };
  const service = await startService({ create: () => Promise.resolve(database) });
  const { client } = service;
  const add = (name: string) => client.post('/v1/pets', { name, categoryId: 7 });
  const answers = [
    ...(await Promise.all(['Zoë', "it's \\'; -- 🐶"].map(add))),
    await add('x'.repeat(200) + 'b'),
    await add('x'.repeat(200) + 'a'),
    await client.post('/v1/store/orders', { petId: 1 }, { headers: { 'Idempotency-Key': 'a' } }),
    await client.post('/v1/store/orders', { petId: 1 }, { headers: { 'Idempotency-Key': 'a' } }),
    await client.post('/v1/store/orders', { petId: 1 }),
    await client.patch('/v1/store/orders/1', { status: 'delivered' }),
    await add('the last write, on connections that all have committed something'),
    await client.get('/v1/pets?limit=3'),
    await client.get('/v1/pets?status=sold'),
    await client.get('/v1/pets/1'),
    await client.get('/v1/store/orders'),
  ];
  await service.stop();
  const stored = await server.query(
    'USE petstore',
    'SELECT id, HEX(name) AS name, status FROM pets ORDER BY id',
  );
  const foreign = await server.query(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'petstore' AND engine <> 'InnoDB'`,
  );
  return { answers: answers.map(({ status, text }) => [status, text]), stored, foreign };
}

const SERVERS = [
  {
    name: 'MariaDB',
    isThere: MariaDbServer.isInstalled(),
    start: () => MariaDbServer.start(...WITHOUT_THE_DISK),
    user: ['CREATE USER app'],
  },
  {
    name: 'MySQL',
    isThere: mySql.installed,
    start: () => MySqlServer.start(...WITHOUT_THE_DISK),
    // Without this privilege the user may not set all of them, and a server rejects a user whose init_connect fails.
    user: ['CREATE USER app', 'GRANT SESSION_VARIABLES_ADMIN ON *.* TO app'],
  },
];

for (const { name, isThere, start, user } of SERVERS)
  describe.skipIf(!isThere)(`whatever a ${name} is set to`, () => {
    let plain: Awaited<ReturnType<typeof story>>;
    let server: DatabaseServer;
    /** The settings that this server has. */
    let settings: typeof ODD;
    beforeAll(async () => {
      server = await start();
      await server.query(...user);
      const names = (await server.query('SHOW GLOBAL VARIABLES')).map((row) => row['Variable_name']);
      settings = Object.fromEntries(Object.entries(ODD).filter(([name]) => names.includes(name)));
      plain = await story(server);
    });
    afterAll(() => server.stop());

    it('the service responds to this sequence of requests', () => {
      expect(plain.answers.map(([status]) => status)).toEqual([
        201, 201, 201, 201, 201, 201, 409, 200, 201, 200, 200, 200, 200,
      ]);
      expect(plain.stored[0]).toEqual({ id: 1, name: '5A6FC3AB', status: 'sold' });
      expect(plain.foreign).toEqual([]);
    });

    it('responses and stored bytes are the same, with init_connect and with another character set of the server', async () => {
      const { character_set_server: latin1, ...ofSession } = settings;
      const all = Object.entries(ofSession).map(([name, value]) => `${name} = ${literal(value!)}`);
      await server.query(
        `SET GLOBAL character_set_server = ${latin1}`,
        `SET GLOBAL init_connect = "SET ${all.join(', ')}"`,
      );
      expect(await story(server)).toEqual(plain);
    });

    // MySQL responds on a connection of which only one side was closed, and mysql2 reports that response.
    it('a connection is closed for both sides when its init_connect takes longer than a statement may', async () => {
      const reported = vi.spyOn(console, 'error');
      const url = parseDatabaseUrl(server.url('petstore', 'app'));
      const source = new JoiningDataSource({ ...dataSourceOptions(url, 2, []), entities: [] });
      await source.initialize();
      source.open();
      const others = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
      await others.query('SET GLOBAL init_connect = "UPDATE petstore.pets SET status = 1 WHERE id = 1"');
      await others.beginTransaction();
      await others.query('SELECT * FROM petstore.pets WHERE id = 1 FOR UPDATE');
      const runners = [source.createQueryRunner(), source.createQueryRunner()];
      for (const runner of runners) await runner.connect();
      await expect(runners[1]!.query('SELECT 1')).rejects.toThrow(DatabaseUnavailable);
      await others.rollback();
      const connections = `SELECT id FROM information_schema.processlist WHERE user = 'app'`;
      await eventually(async () => (await server.query(connections)).length === 1);
      for (const runner of runners) await runner.release();
      await Promise.all([source.destroy(), others.end()]);
      expect(reported).not.toHaveBeenCalled();
    });
  });
