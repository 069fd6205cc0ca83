import { writeFileSync } from 'node:fs';
import SqliteFile from 'better-sqlite3';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { PetSchema } from '../../../src/pets/adapters/typeorm/pet.schema.js';
import { JoiningDataSource } from '../../../src/platform/database/index.js';
import type { Answer } from '../../support/api-client.js';
import { RunningClock } from '../../support/clocks.js';
import { keepObjects } from '../../support/rooms/database.js';
import { existing, sqlite, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { examine } from '../../support/doctor.js';
import { petstore } from '../../support/petstore.js';
import { Recorder } from '../../support/site/recorder.js';
import { type Service, startService } from '../../support/service.js';

/** A fault that an operator or another client causes. `others` is a connection of another client, closed when the fault ends. */
interface Fault {
  readonly what: string;
  begin(server: MariaDbServer, others: Connection): Promise<unknown>;
  end?(server: MariaDbServer): Promise<unknown>;
  /** Matches the reason in the log. */
  readonly says: RegExp;
  /** Reads still succeed. */
  readonly reads?: boolean;
  /** Short writes, such as an order, still succeed. */
  readonly shortWrites?: boolean;
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
const takeNoLength = doing('SET GLOBAL max_allowed_packet = 1024, net_buffer_length = 1024', CUT);
const takeAnyLength = doing('SET GLOBAL max_allowed_packet = 16777216, net_buffer_length = 16384', CUT);

/** The kinds of errors are tested in test/unit/platform/database/errors.test.ts, and killed servers in test/faults. */
const FAULTS: Fault[] = [
  {
    what: 'has its tables locked by another client',
    begin: (_, others) =>
      others.query('LOCK TABLES petstore.pets WRITE, petstore.orders WRITE, petstore.stored_answers WRITE'),
    says: /ERRNO_1969|no answer/,
  },
  {
    what: 'has its rows locked by another client',
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
    what: 'requires another password',
    begin: doing("ALTER USER app IDENTIFIED BY 'another'", CUT),
    end: doing("ALTER USER app IDENTIFIED BY ''"),
    says: /ER_ACCESS_DENIED_ERROR \(Access denied for user 'app'/,
  },
  {
    what: 'accepts only short statements',
    begin: takeNoLength,
    end: takeAnyLength,
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
];

const BOOTSTRAP_API_KEY = 'petstore-bootstrap-key-of-these-tests-0123456789';
const rex = { name: '🐶'.repeat(255), categoryId: 7 };

const isThere = MariaDbServer.isInstalled();
let server: MariaDbServer;
beforeAll(async () => {
  if (!isThere) return;
  const plugin = ['--plugin-load-add=auth_ed25519', '--plugin-maturity=unknown'];
  server = await MariaDbServer.start(...plugin, '--log-bin', '--server-id=1');
  await server.query(
    'CREATE USER app',
    "CREATE USER modern IDENTIFIED VIA ed25519 USING PASSWORD('x')",
    "CREATE USER safe IDENTIFIED BY 'x' REQUIRE SSL",
    'GRANT ALL ON *.* TO modern, safe',
  );
});
afterAll(() => server?.stop());

describe.skipIf(!isThere)('while the database', () => {
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

  const add = (headers = {}) => service.client.post('/v1/pets', rex, { headers });
  const isReady = async () => expect((await service.client.get('/readyz')).status).toBe(200);
  const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];

  const demandMeanwhile = async (fault: Fault, id: number) => {
    const paths = ['/v1/pets', '/v1/pets?status=sold', `/v1/pets/${id}`, '/v1/store/orders'];
    const reads = await Promise.all(paths.map((path) => service.client.get(path)));
    const writes = await Promise.all([
      add(),
      add(),
      add({ 'Idempotency-Key': 'a' }),
      service.client.post('/v1/store/orders', { petId: id }),
    ]);
    if (fault.reads) expect(statuses(reads)).toEqual([200]);
    else expect(statuses(reads)).toContain(503);
    expect(statuses(writes)).toEqual(fault.shortWrites ? [503, 201] : [503]);
    if (fault.readOnly) {
      for (const { json } of writes) expect(json).toMatchObject({ code: 'database_read_only' });
      const reason = service.app.get(JoiningDataSource).refusedChange;
      expect(reason).toMatch(fault.says);
      await service.app.get(JoiningDataSource).transaction((manager) => manager.query('SELECT * FROM pets'));
      expect(service.app.get(JoiningDataSource).refusedChange).toBe(reason);
      await isReady();
      expect(log.text).toMatch(/"msg":"degraded: [^\n]* accepts no writes \(.+\)/);
    }
    for (const { status, headers } of reads) {
      expect([200, 503]).toContain(status);
      expect(headers.has('Retry-After')).toBe(status === 503);
    }
    expect(log.text).not.toMatch(/"level":50/);
    expect(log.text).toMatch(fault.says);
  };

  it.each(FAULTS)('$what, requests get 503 instead of 500, and the log gives the reason', async (fault) => {
    // A statement that changes it is short.
    const { status, json, text } = await service.client.post('/v1/pets', { ...rex, name: 'Rex' });
    expect(status, text).toBe(201);
    // Even if a check fails, the next test needs a server without the fault.
    try {
      await fault.begin(server, others);
      await demandMeanwhile(fault, (json as { id: number }).id);
    } finally {
      others.destroy();
      await fault.end?.(server);
    }
    if (fault.forGood) return;
    await eventually(async () => (await add()).status === 201);
    expect(service.app.get(JoiningDataSource).refusedChange).toBeUndefined();
    await isReady();
  });

  it('accepts only short statements, concurrent requests are stored one by one', async () => {
    onTestFinished(async () => void (await takeAnyLength(server)));
    await takeNoLength(server);
    const short = { ...rex, name: '🐶'.repeat(180) };
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => service.client.post('/v1/pets', short)),
    );
    expect(statuses(answers)).toEqual([201]);
  });
});

describe.skipIf(!isThere)('a server that cannot be used without a change by the operator', () => {
  beforeAll(() => server.query('CREATE OR REPLACE DATABASE petstore'));

  it.each([
    ['uses a password that the driver does not know', 'modern:x', /unknown plugin client_ed25519/],
    ['demands TLS', 'safe:x', /Access denied for user 'safe'.*\?tls=verify/],
    ['does not have this user', 'nobody:x', /Access denied for user 'nobody'/],
  ])('ends the start with the error of the database and the remedy: it %s', async (_, account, says) => {
    const url = `mysql://${account}@127.0.0.1:${server.port}/petstore`;
    const started = startService(existing({ url }));
    await expect(started).rejects.toThrow(says);
    await expect(started).rejects.toThrow(
      / Check user, password .*docs\/operations\.md#errors-of-the-database\.$/,
    );
  });

  it('names the setting in the output of an import whose statements are too large for it', async () => {
    const url = server.url('petstore', 'app');
    await server.query('GRANT ALL ON petstore.* TO app');
    const line = `{"name":"${'x'.repeat(255)}","categoryId":7}\n`;
    const run = (...args: string[]) => petstore(args, { DATABASE_URL: url }, line.repeat(500));
    expect(await run('db', 'migrate')).toMatchObject({ code: 0 });
    onTestFinished(async () => void (await takeAnyLength(server)));
    await doing('SET GLOBAL max_allowed_packet = 65536')(server);
    const { code, stderr } = await run('pets', 'import', '--format', 'ndjson', '-');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^petstore: The database rejects a statement of this size\. The reason: ER_NET_PACKET_TOO_LARGE .*\. Set max_allowed_packet of the server to 1M or more, then restart the service\.\n$/,
      ),
    ]);
    const { wrong } = await examine({ DATABASE_URL: url });
    expect(wrong).toContainEqual(
      'database: The server rejects statements above 64 KiB: max_allowed_packet=65536. Set max_allowed_packet of the server to 1M or more, then restart the service.',
    );
    const log = new Recorder();
    const service = await startService(existing({ url }), { log, environment: { LOG_LEVEL: 'warn' } });
    await service.stop();
    expect(log.text).toContain('"context":"Start","msg":"The server rejects statements above 64 KiB');
  });

  it('is logged with the required setting when it cannot log writes; reads succeed and writes get 503', async () => {
    const log = new Recorder();
    const environment = { LOG_LEVEL: 'warn', BOOTSTRAP_API_KEY };
    const start = () => startService(existing({ url: server.url('petstore') }), { log, environment });
    await (await start()).stop();
    onTestFinished(async () => void (await server.query('SET GLOBAL binlog_format = MIXED')));
    await server.query('SET GLOBAL binlog_format = STATEMENT');
    const { client, stop } = await start();
    onTestFinished(stop);
    expect(log.text).toMatch(
      /BINLOG_FORMAT = STATEMENT .* READ COMMITTED .*\. Make the server or the file writable/,
    );
    expect((await client.get('/v1/pets')).status).toBe(200);
    const { status, json } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    expect([status, (json as { code: string }).code]).toEqual([503, 'database_read_only']);
    expect(log.text).not.toMatch(/"level":50/);
  });
});

describe('while the file of the database', () => {
  describe('is locked by another process', () => {
    let service: Service;
    let other: SqliteFile.Database;
    const log = new Recorder();
    beforeEach(async () => {
      log.text = '';
      const database = await sqlite.create();
      onTestFinished(() => database.drop());
      service = await startService(existing(database), { log, environment: { LOG_LEVEL: 'warn' } });
      onTestFinished(() => service.stop());
      // Stands for another process, whose lock keeps others from writing.
      other = new SqliteFile(database.url.slice('sqlite:'.length));
      keepObjects(other);
      onTestFinished(() => void other.close());
      expect((await add()).status).toBe(201);
      other.exec('BEGIN IMMEDIATE');
    });
    const add = (headers = {}) =>
      service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers });

    it('requests wait for it, and this process goes on meanwhile', async () => {
      const adding = Promise.all([add(), add(), add({ 'Idempotency-Key': 'a' })]);
      const transaction = service.app.get(JoiningDataSource).transaction(() => Promise.resolve('done'));
      // A statement that blocked the process would keep the response, and the lock, until it failed.
      expect((await service.client.get('/v1/pets')).status).toBe(200);
      other.exec('COMMIT');
      expect((await adding).map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(await transaction).toBe('done');
    });

    it('requests get 503 instead of 500 when it is too long', async () => {
      const { client } = service;
      const answers = await Promise.all([
        add(),
        add({ 'Idempotency-Key': 'a' }),
        client.post('/v1/store/orders', { petId: 1 }),
      ]);
      for (const { status, json } of answers)
        expect([status, json]).toEqual([503, expect.objectContaining({ code: 'database_unavailable' })]);
      const source = service.app.get(JoiningDataSource);
      for (const work of [
        () => source.transaction(() => Promise.resolve()),
        () => source.query('DELETE FROM pets'),
        () => source.manager.save(PetSchema, { id: 9n, name: 'Luna', categoryId: 7n, status: 'sold' }),
      ])
        await expect(work()).rejects.toMatchObject({ errorClass: 'busy' });
      expect(log.text).not.toMatch(/"level":50/);
      other.exec('COMMIT');
      expect((await add()).status).toBe(201);
    });
  });

  it.each<[string, (database: TestDatabase) => Promise<void>, RegExp]>([
    [
      'has been overwritten',
      async (database) => {
        // A write of another connection, which the page cache of the service does not have.
        await database.execute('CREATE TABLE others (id INTEGER)', 'PRAGMA wal_checkpoint(TRUNCATE)');
        writeFileSync(database.url.replace('sqlite:', ''), Buffer.alloc(65_536, 'no database. '));
      },
      /SQLITE_(NOTADB|CORRUPT)/,
    ],
    [
      'has lost tables',
      (database) => database.execute('DROP TABLE orders', 'DROP TABLE pets'),
      /SQLITE_ERROR \(no such table: orders\)/,
    ],
  ])('%s, requests get 503 instead of 500, and the log gives the reason', async (_, spoil, says) => {
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
