import { truncateSync, writeFileSync } from 'node:fs';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/api-client.js';
import { RunningClock } from '../../support/clocks.js';
import { existing, sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { Recorder } from '../../support/site/recorder.js';
import { type Service, startService } from '../../support/service.js';

/** A fault that an operator or another client causes. `others` is a connection of another client, closed when the fault ends. */
interface Fault {
  readonly what: string;
  begin(server: MariaDbServer, others: Connection): Promise<unknown>;
  end(server: MariaDbServer): Promise<unknown>;
  /** Matches what the log says about it. */
  readonly says: RegExp;
  /** Reads still succeed. */
  readonly reads?: boolean;
  /** The database rejects writes with an error that says so. */
  readonly readOnly?: boolean;
  /** The fault is permanent. */
  readonly forGood?: boolean;
}

const doing =
  (...statements: string[]) =>
  (server: MariaDbServer) =>
    server.query('USE petstore', ...statements);
/** Forces the service to open new connections, for which the change is in effect. */
const CUT = 'KILL CONNECTION USER app';

let killing: NodeJS.Timeout | undefined;

const FAULTS: Fault[] = [
  {
    what: 'has its tables locked by somebody',
    begin: (_, others) =>
      others.query('LOCK TABLES petstore.pets WRITE, petstore.orders WRITE, petstore.stored_answers WRITE'),
    end: doing('SELECT 1'),
    says: /ERRNO_1969|no answer/,
  },
  {
    what: 'has its statements killed',
    begin: async (server, others) => {
      await others.query(
        'LOCK TABLES petstore.pets WRITE, petstore.orders WRITE, petstore.stored_answers WRITE',
      );
      killing = setInterval(() => void server.query('KILL QUERY USER app').catch(() => undefined), 50);
    },
    end: () => Promise.resolve(clearInterval(killing)),
    says: /ER_QUERY_INTERRUPTED/,
  },
  {
    what: 'has its connections killed',
    begin: async (server, others) => {
      await others.query(
        'LOCK TABLES petstore.pets WRITE, petstore.orders WRITE, petstore.stored_answers WRITE',
      );
      killing = setInterval(() => void server.query(CUT).catch(() => undefined), 50);
    },
    end: () => Promise.resolve(clearInterval(killing)),
    says: /ERRNO_1927|PROTOCOL_CONNECTION_LOST|ECONNRESET/,
  },
  {
    what: 'has let in as many connections of the user as it may',
    begin: async (server, others) => {
      await doing('ALTER USER app WITH MAX_USER_CONNECTIONS 1', CUT)(server);
      await others.changeUser({ user: 'app' });
    },
    end: doing('ALTER USER app WITH MAX_USER_CONNECTIONS 0'),
    says: /ER_USER_LIMIT_REACHED/,
  },
  {
    what: 'has its rows locked by somebody',
    begin: (_, others) => others.query('UPDATE petstore.pets SET category_id = 8'),
    end: doing('SELECT 1'),
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
    what: 'has transactions that are read-only',
    begin: doing('SET GLOBAL tx_read_only = 1', CUT),
    end: doing('SET GLOBAL tx_read_only = 0', CUT),
    says: /ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION/,
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
    what: 'lets the user do nothing any more',
    begin: doing('REVOKE ALL ON petstore.* FROM app', CUT),
    end: doing('GRANT ALL ON petstore.* TO app'),
    says: /ER_DBACCESS_DENIED_ERROR \(Access denied for user 'app'/,
  },
  {
    what: 'wants another password',
    begin: doing("ALTER USER app IDENTIFIED BY 'another'", CUT),
    end: doing("ALTER USER app IDENTIFIED BY ''"),
    says: /ER_ACCESS_DENIED_ERROR \(Access denied for user 'app'/,
  },
  {
    what: 'has locked the account',
    begin: doing('ALTER USER app ACCOUNT LOCK', CUT),
    end: doing('ALTER USER app ACCOUNT UNLOCK'),
    says: /Access denied, this account is locked/,
  },
  {
    what: 'lets the user ask no more in this hour',
    begin: doing('ALTER USER app WITH MAX_QUERIES_PER_HOUR 1', CUT),
    end: doing('ALTER USER app WITH MAX_QUERIES_PER_HOUR 0', 'FLUSH USER_RESOURCES', CUT),
    says: /ER_USER_LIMIT_REACHED/,
  },
  {
    what: 'takes no statement of any length',
    begin: doing('SET GLOBAL max_allowed_packet = 1024, net_buffer_length = 1024', CUT),
    end: doing('SET GLOBAL max_allowed_packet = 16777216, net_buffer_length = 16384', CUT),
    says: /ER_NET_PACKET_TOO_LARGE|PROTOCOL_CONNECTION_LOST|ECONN|EPIPE/,
    reads: true,
  },
  {
    what: 'has no memory for a session',
    begin: doing('SET GLOBAL max_session_mem_used = 8192', CUT),
    end: doing('SET GLOBAL max_session_mem_used = 9223372036854775807', CUT),
    says: /./,
  },
  {
    what: 'has lost the file of a table',
    begin: doing('ALTER TABLE pets DISCARD TABLESPACE'),
    end: doing('SELECT 1'),
    says: /ER_TABLESPACE_DISCARDED|ERRNO_1932/,
    forGood: true,
  },
  {
    what: 'has lost the database',
    begin: doing('DROP DATABASE petstore'),
    end: (server) => server.query('SELECT 1'),
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

  const rex = { name: '🐶'.repeat(255), categoryId: 7 };
  const add = () => service.client.post('/v1/pets', rex);

  const ready = async () => {
    const { status, json } = await service.client.get('/readyz');
    return { status, json };
  };
  /** The service stays ready, and `/readyz` tells authorized callers why writes are rejected. */
  async function isReadOnly({ says }: Fault, writes: Answer[]) {
    expect([...new Set(writes.map(({ json }) => (json as { code: string }).code))]).toEqual([
      'database_read_only',
    ]);
    const reason = { code: 'database_read_only', message: expect.stringMatching(says) as string };
    expect(await ready()).toMatchObject({ status: 200, json: { status: 'degraded', reasons: [reason] } });
    expect((await service.stranger.get('/readyz')).json).toEqual({ status: 'ready' });
  }

  it.each(FAULTS)('$what, nothing is called a fault of the service, and the log says why', async (fault) => {
    const { client } = service;
    const { id } = (await add()).json as { id: number };
    await fault.begin(server, others);
    const paths = ['/v1/pets', '/v1/pets?status=sold', `/v1/pets/${id}`, '/v1/store/orders'];
    const reads = await Promise.all(paths.map((path) => client.get(path)));
    const writes = await Promise.all([
      add(),
      add(),
      client.post('/v1/pets', rex, { headers: { 'Idempotency-Key': 'a' } }),
      client.post('/v1/store/orders', { petId: id }),
    ]);
    const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];
    if (fault.reads) expect(statuses(reads)).toEqual([200]);
    else expect(statuses(reads)).toContain(503);
    expect(statuses(writes)).toEqual([503]);
    if (fault.readOnly) await isReadOnly(fault, writes);
    for (const { status, headers } of reads) {
      expect([200, 503]).toContain(status);
      expect(headers.has('Retry-After')).toBe(status === 503);
    }
    expect(log.text).not.toMatch(/"level":50/);
    expect(log.text).toMatch(fault.says);

    others.destroy();
    await fault.end(server);
    if (fault.forGood) return;
    await eventually(async () => (await add()).status === 201);
    expect(await ready()).toEqual({ status: 200, json: { status: 'ready', reasons: [] } });
  });

  it('takes no large statement, those that come together are stored one by one', async () => {
    const name = '🐶'.repeat(180);
    await server.query('SET GLOBAL max_allowed_packet = 1024, net_buffer_length = 1024', CUT);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => service.client.post('/v1/pets', { name, categoryId: 7 })),
    );
    await server.query('SET GLOBAL max_allowed_packet = 16777216, net_buffer_length = 16384', CUT);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  });
});

describe.skipIf(!MariaDbServer.isInstalled())('while the database has no room', () => {
  it('writes are told to come back, and reads go on', async () => {
    const server = await MariaDbServer.start(
      '--innodb-data-file-path=ibdata1:12M',
      '--innodb-file-per-table=0',
    );
    await server.query('CREATE DATABASE petstore');
    const log = new Recorder();
    const database = { url: server.url('petstore'), drop: () => server.stop() };
    const environment = { LOG_LEVEL: 'warn' };
    const service = await startService({ create: () => Promise.resolve(database) }, { log, environment });
    await server.query('CREATE TABLE petstore.filler (text LONGTEXT)');
    const fill = (size: number) => server.query(`INSERT INTO petstore.filler VALUES (REPEAT('x', ${size}))`);
    for (const size of [1_000_000, 16_000]) while (await fill(size).catch(() => false));
    const { client } = service;
    let status = 201;
    while (status === 201) {
      const body = { name: '🐶'.repeat(255), categoryId: 7 };
      status = (await client.post('/v1/pets', body)).status;
    }
    expect([status, (await client.get('/v1/pets')).status]).toEqual([503, 200]);
    expect(log.text).toMatch(/ER_RECORD_FILE_FULL/);
    await service.stop();
  });
});

describe('while the file of the database', () => {
  it.each<[string, (file: string) => void, RegExp]>([
    [
      'has been overwritten',
      (file) => writeFileSync(file, Buffer.alloc(65_536, 'no database. ')),
      /SQLITE_(NOTADB|CORRUPT)/,
    ],
    ['has been cut off', (file) => truncateSync(file, 4_096), /SQLITE_(IOERR|CORRUPT)/],
  ])('%s, nothing is called a fault of the service, and the log says why', async (_, spoil, says) => {
    const database = await sqlite.create();
    const log = new Recorder();
    const environment = { LOG_LEVEL: 'warn' };
    const { client, stop } = await startService(existing(database), { log, environment });
    // A write of another connection, which the page cache of the service does not have.
    await database.execute('CREATE TABLE others (id INTEGER)', 'PRAGMA wal_checkpoint(TRUNCATE)');
    spoil(database.url.replace('sqlite:', ''));
    expect((await client.post('/v1/pets', { name: 'Rex', categoryId: 7 })).status).toBe(503);
    expect((await client.get('/v1/store/orders')).status).toBe(503);
    expect(log.text).not.toMatch(/"level":50/);
    expect(log.text).toMatch(says);
    await stop();
    await database.drop();
  });

  it('has lost a table, nothing is called a fault of the service, and the log says why', async () => {
    const database = await sqlite.create();
    const log = new Recorder();
    const { client, stop } = await startService(existing(database), { log });
    await database.execute('DROP TABLE orders');
    expect((await client.get('/v1/store/orders')).status).toBe(503);
    expect(log.text).toMatch(/SQLITE_ERROR \(no such table: orders\)/);
    await stop();
    await database.drop();
  });
});
