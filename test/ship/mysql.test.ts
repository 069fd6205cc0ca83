import { spawnSync } from 'node:child_process';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { check } from '../../tools/migration/check.js';
import { RunningClock } from '../support/clocks.js';
import { demandForbearance, type Fault, killing, LOCK_TABLES } from '../support/databases/faults.js';
import { logAsBefore } from '../support/logger.js';
import { petstore } from '../support/petstore.js';
import { type Service, startService } from '../support/service.js';
import { Recorder } from '../support/site/recorder.js';
import { MySqlServer } from './support/mysql-server.js';

/** The suites that also run on this server, without the files that need MariaDB-only features. */
const SUITES = [
  'test/contract',
  'test/e2e/pets.test.ts',
  'test/e2e/orders.test.ts',
  'test/e2e/new-pet-properties.test.ts',
  'test/e2e/lists/lists.test.ts',
  'test/e2e/access/keys',
  'test/e2e/commands/doctor.test.ts',
  'test/e2e/database/evolving-tables.test.ts',
  'test/e2e/database/revert.test.ts',
  'test/e2e/modules/changes.test.ts',
];

const doing =
  (...statements: string[]) =>
  (server: MySqlServer) =>
    server.query('USE petstore', ...statements);

/** Kills all statements, or connections, of the service. */
const kill = (what: 'QUERY' | 'CONNECTION') => async (server: MySqlServer) => {
  const ids = await server.query("SELECT id FROM information_schema.processlist WHERE user = 'app'");
  // Ignores one that has already ended.
  for (const { id } of ids) await server.query(`KILL ${what} ${String(id)}`).catch(() => undefined);
};
const cut = kill('CONNECTION');
const doingAnew =
  (...statements: string[]) =>
  async (server: MySqlServer) => {
    await doing(...statements)(server);
    await cut(server);
  };

let taken: Connection | undefined;

const FAULTS: Fault<MySqlServer>[] = [
  {
    what: 'has its tables locked',
    begin: (_, others) => others.query(LOCK_TABLES),
    says: /no answer|NO_ANSWER/,
  },
  {
    what: 'has its statements killed',
    ...killing(kill('QUERY')),
    says: /ER_QUERY_INTERRUPTED/,
  },
  {
    what: 'has its connections killed',
    ...killing(cut),
    says: /PROTOCOL_CONNECTION_LOST|ECONNRESET/,
  },
  {
    what: 'has let in as many connections of the user as it may',
    begin: async (server) => {
      await doingAnew('GRANT USAGE ON *.* TO app WITH MAX_USER_CONNECTIONS 1')(server);
      taken = await createConnection({ host: '127.0.0.1', port: server.port, user: 'app' });
    },
    end: async (server) => {
      taken?.destroy();
      await doing('GRANT USAGE ON *.* TO app WITH MAX_USER_CONNECTIONS 0')(server);
    },
    says: /ER_USER_LIMIT_REACHED/,
  },
  {
    what: 'has its rows locked',
    begin: (_, others) => others.query('UPDATE petstore.pets SET category_id = 8'),
    // MySQL checks lock waits once a second, so the second try may hit the request's deadline.
    says: /ER_LOCK_WAIT_TIMEOUT|"context":"Deadline"/,
    reads: true,
  },
  {
    what: 'is read-only',
    begin: doing('SET GLOBAL read_only = 1'),
    end: doing('SET GLOBAL read_only = 0'),
    says: /ER_OPTION_PREVENTS_STATEMENT/,
    reads: true,
  },
  {
    what: 'has transactions that are read-only',
    begin: doingAnew('SET GLOBAL tx_read_only = 1'),
    end: doingAnew('SET GLOBAL tx_read_only = 0'),
    says: /ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION/,
    reads: true,
  },
  {
    what: 'lets the user no longer write',
    begin: doingAnew('REVOKE INSERT, UPDATE ON petstore.* FROM app'),
    end: doing('GRANT ALL ON petstore.* TO app'),
    says: /ER_TABLEACCESS_DENIED_ERROR \((?:INSERT|UPDATE) command denied to user 'app'/,
    reads: true,
  },
  {
    what: 'wants another password',
    begin: doingAnew("SET PASSWORD FOR app = PASSWORD('another')"),
    end: doing("SET PASSWORD FOR app = ''"),
    says: /ER_ACCESS_DENIED_ERROR \(Access denied for user 'app'/,
  },
  {
    what: 'lets the user ask no more in this hour',
    begin: doingAnew('GRANT USAGE ON *.* TO app WITH MAX_QUERIES_PER_HOUR 1'),
    end: doingAnew('GRANT USAGE ON *.* TO app WITH MAX_QUERIES_PER_HOUR 0', 'FLUSH USER_RESOURCES'),
    says: /ER_USER_LIMIT_REACHED/,
  },
  {
    what: 'takes no statement of any length',
    begin: doingAnew('SET GLOBAL max_allowed_packet = 1024, net_buffer_length = 1024'),
    end: doingAnew('SET GLOBAL max_allowed_packet = 16777216, net_buffer_length = 16384'),
    says: /ER_NET_PACKET_TOO_LARGE|PROTOCOL_CONNECTION_LOST|ECONN|EPIPE/,
    reads: true,
  },
  {
    what: 'has lost the file of a table',
    begin: doing('ALTER TABLE pets DISCARD TABLESPACE'),
    says: /ER_TABLESPACE_DISCARDED/,
    forGood: true,
  },
  {
    what: 'has lost the database',
    begin: doing('DROP DATABASE petstore'),
    says: /ER_NO_SUCH_TABLE|ER_NO_DB_ERROR|ER_BAD_DB_ERROR/,
    forGood: true,
  },
];

describe.skipIf(!MySqlServer.isPossible())('A real MySQL', () => {
  let server: MySqlServer;
  beforeAll(async () => {
    server = await MySqlServer.start();
    await server.query('CREATE USER app');
  });
  afterAll(() => server.stop());

  it('passes the contracts of all ports, and what clients, operators and migrations do', async () => {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--testNamePattern', 'on MariaDB', ...SUITES];
    const env = {
      ...process.env,
      MYSQL_PORT: String(server.port),
      WITHOUT_BUILD: '1',
      RESULTS_FILE: '',
      NO_COLOR: '1',
    };
    const { status, stdout, stderr } = spawnSync(process.execPath, vitest, { env, encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
    const [, passed] = /Tests +(\d+) passed/.exec(stdout) ?? [];
    expect(Number(passed)).toBeGreaterThan(250);
  });

  it('has no table that differs from the schemas, and nothing that the doctor finds wrong', async () => {
    await server.query('CREATE DATABASE tables');
    const environment = { DATABASE_URL: server.url('tables') };
    const run = (...args: string[]) => petstore(args, environment);
    expect((await run('db', 'migrate')).code).toBe(0);
    expect(await check(environment)).toEqual({ SQLite: [], MySQL: [] });
    logAsBefore();
    expect((await run('keys', 'issue', '--name', 'shop')).code).toBe(0);
    const { code, stdout } = await run('doctor');
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('MySQL 5.6');
  });

  describe('that', () => {
    let others: Connection;
    let service: Service;
    const log = new Recorder();
    beforeEach(async () => {
      await server.query(
        'DROP DATABASE IF EXISTS petstore',
        'CREATE DATABASE petstore',
        'GRANT ALL ON petstore.* TO app',
      );
      others = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
      await others.query('SET autocommit = 0');
      log.text = '';
      const database = { url: server.url('petstore', 'app'), drop: () => Promise.resolve() };
      service = await startService(
        { create: () => Promise.resolve(database) },
        { log, environment: { LOG_LEVEL: 'warn' }, clock: new RunningClock() },
      );
    });
    afterEach(async () => {
      others.destroy();
      await service.stop();
    });

    it.each(FAULTS)('$what is never called a fault of the service, and the log says why', (fault) =>
      demandForbearance(fault, { server, others, service, log }),
    );
  });
});
