import { truncateSync, writeFileSync } from 'node:fs';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { RunningClock } from '../../support/clocks.js';
import { existing, sqlite, type TestDatabase } from '../../support/engines.js';
import { demandForbearance, type Fault, killing, LOCK_TABLES } from '../../support/databases/faults.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { Recorder } from '../../support/site/recorder.js';
import { type Service, startService } from '../../support/service.js';

const doing =
  (...statements: string[]) =>
  (server: MariaDbServer) =>
    server.query('USE petstore', ...statements);
/** Forces the service to open new connections, for which the change is in effect. */
const CUT = 'KILL CONNECTION USER app';

/** One of each kind; which errors are of which kind is tested in test/unit/platform/database/errors.test.ts. */
const FAULTS: Fault<MariaDbServer>[] = [
  {
    what: 'has its tables locked by somebody',
    begin: (_, others) => others.query(LOCK_TABLES),
    says: /ERRNO_1969|no answer/,
  },
  {
    what: 'has its statements killed',
    ...killing((server) => server.query('KILL QUERY USER app')),
    says: /ER_QUERY_INTERRUPTED/,
  },
  {
    what: 'has its connections killed',
    ...killing((server) => server.query(CUT)),
    says: /ERRNO_1927|PROTOCOL_CONNECTION_LOST|ECONNRESET/,
  },
  {
    what: 'has its rows locked by somebody',
    begin: (_, others) => others.query('UPDATE petstore.pets SET category_id = 8'),
    says: /ER_LOCK_WAIT_TIMEOUT/,
    reads: true,
  },
  {
    what: 'is read-only',
    begin: doing('SET GLOBAL read_only = 1'),
    end: doing('SET GLOBAL read_only = 0'),
    says: /ER_OPTION_PREVENTS_STATEMENT/,
    reads: true,
    readOnly: true,
  },
  {
    what: 'lets the user no longer write',
    begin: doing('REVOKE INSERT, UPDATE ON petstore.* FROM app', CUT),
    end: doing('GRANT ALL ON petstore.* TO app'),
    says: /ER_TABLEACCESS_DENIED_ERROR \((?:INSERT|UPDATE) command denied to user 'app'/,
    reads: true,
    readOnly: true,
  },
  {
    what: 'wants another password',
    begin: doing("ALTER USER app IDENTIFIED BY 'another'", CUT),
    end: doing("ALTER USER app IDENTIFIED BY ''"),
    says: /ER_ACCESS_DENIED_ERROR \(Access denied for user 'app'/,
  },
  {
    what: 'takes no statement of any length',
    begin: doing('SET GLOBAL max_allowed_packet = 1024, net_buffer_length = 1024', CUT),
    end: doing('SET GLOBAL max_allowed_packet = 16777216, net_buffer_length = 16384', CUT),
    says: /ER_NET_PACKET_TOO_LARGE|PROTOCOL_CONNECTION_LOST|ECONN|EPIPE/,
    reads: true,
    shortWrites: true,
  },
  {
    what: 'has lost the file of a table',
    begin: doing('ALTER TABLE pets DISCARD TABLESPACE'),
    says: /ER_TABLESPACE_DISCARDED|ERRNO_1932/,
    forGood: true,
  },
  {
    what: 'has lost the database',
    begin: doing('DROP DATABASE petstore'),
    says: /ER_NO_SUCH_TABLE|ER_NO_DB_ERROR|ER_BAD_DB_ERROR/,
    forGood: true,
  },
];

describe.skipIf(!MariaDbServer.isInstalled())('while the database', () => {
  let server: MariaDbServer;
  beforeAll(async () => {
    server = await MariaDbServer.start();
    await server.query('CREATE USER app');
  });
  afterAll(() => server.stop());

  let others: Connection;
  let service: Service;
  const log = new Recorder();
  beforeEach(async () => {
    await server.query('CREATE OR REPLACE DATABASE petstore', 'GRANT ALL ON petstore.* TO app');
    others = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
    await others.query('SET autocommit = 0');
    log.text = '';
    service = await startService(existing({ url: server.url('petstore', 'app') }), {
      log,
      environment: { LOG_LEVEL: 'warn' },
      clock: new RunningClock(),
    });
  });
  afterEach(async () => {
    others.destroy();
    await service.stop();
  });

  it.each(FAULTS)('$what, nothing is called a fault of the service, and the log says why', (fault) =>
    demandForbearance(fault, { server, others, service, log }),
  );

  it('takes no large statement, those that come together are stored one by one', async () => {
    const name = '🐶'.repeat(180);
    onTestFinished(async () => {
      await server.query('SET GLOBAL max_allowed_packet = 16777216, net_buffer_length = 16384', CUT);
    });
    await server.query('SET GLOBAL max_allowed_packet = 1024, net_buffer_length = 1024', CUT);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => service.client.post('/v1/pets', { name, categoryId: 7 })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  });
});

describe('while the file of the database', () => {
  const spoiling = (spoil: (file: string) => void) => async (database: TestDatabase) => {
    // A write of another connection, which the page cache of the service does not have.
    await database.execute('CREATE TABLE others (id INTEGER)', 'PRAGMA wal_checkpoint(TRUNCATE)');
    spoil(database.url.replace('sqlite:', ''));
  };

  it.each<[string, (database: TestDatabase) => Promise<void>, RegExp]>([
    [
      'has been overwritten',
      spoiling((file) => writeFileSync(file, Buffer.alloc(65_536, 'no database. '))),
      /SQLITE_(NOTADB|CORRUPT)/,
    ],
    ['has been cut off', spoiling((file) => truncateSync(file, 4_096)), /SQLITE_(IOERR|CORRUPT)/],
    [
      'has lost tables',
      (database) => database.execute('DROP TABLE orders', 'DROP TABLE pets'),
      /SQLITE_ERROR \(no such table: orders\)/,
    ],
  ])('%s, nothing is called a fault of the service, and the log says why', async (_, spoil, says) => {
    const database = await sqlite.create();
    onTestFinished(() => database.drop());
    const log = new Recorder();
    const environment = { LOG_LEVEL: 'warn' };
    const { client, stop } = await startService(existing(database), { log, environment });
    onTestFinished(stop);
    await spoil(database);
    expect((await client.post('/v1/pets', { name: 'Rex', categoryId: 7 })).status).toBe(503);
    expect((await client.get('/v1/store/orders')).status).toBe(503);
    expect(log.text).not.toMatch(/"level":50/);
    expect(log.text).toMatch(says);
  });
});
