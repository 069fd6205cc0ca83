import { resolve } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../support/built-service.js';
import { eventually } from '../support/eventually.js';
import { MonitoredSite } from '../support/site/monitored-site.js';
import { RedisServer } from '../support/databases/redis-server.js';
import { pathWithCommand } from './command.js';
import { Diary } from './diary.js';

const FILE = resolve(import.meta.dirname, '../../docs/operations/night.md');

const INTRODUCTION = `# A night in the life

Written by \`npm run walkthrough\`, which breaks one thing after the other and keeps what rang, what was printed and how long it took.
Two replicas stand behind HAProxy (\`$PROXY\`), with MariaDB (\`$SQL\` is \`mariadb\` as its administrator) and Redis; two clients list
and add all night. Prometheus has the rules of [alerts.yml](alerts.yml) in a world in which a minute takes a second and an hour ten: what
"rang after 4 s" here would have rung after some minutes. Of \`petstore doctor\` only what is not \`ok\` is kept.
`;
const DOCTOR = "petstore doctor | grep -v '^ok'";

let site: MonitoredSite;
let diary: Diary;

beforeAll(async () => {
  build();
  site = await MonitoredSite.start();
  diary = new Diary(INTRODUCTION, site.folder, {
    ...site.environment,
    NODE_ENV: 'production',
    PATH: await pathWithCommand(site.folder),
    PROXY: site.origin,
    SQL: `mariadb --host=127.0.0.1 --port=${site.mariaDb.port} --user=root petstore`,
  });
  await site.isKnown();
});
afterAll(() => site.close());

/** @returns the duration in seconds, with one decimal */
async function secondsOf(work: Promise<unknown>): Promise<string> {
  const begin = performance.now();
  await work;
  return ((performance.now() - begin) / 1_000).toFixed(1);
}

async function ring(...names: string[]): Promise<void> {
  const seconds = await secondsOf(site.rings(...names));
  diary.note(`**Rang after ${seconds} s:** ${names.map((name) => `\`${name}\``).join(', ')}.`);
}

async function fallSilent(): Promise<void> {
  diary.note(`**Silent again** after ${await secondsOf(site.isQuiet())} s.`);
}

const listed = () => fetch(`${site.origin}/v1/pets?limit=1`, { headers: site.authorization });
const added = () =>
  fetch(`${site.origin}/v1/pets`, {
    method: 'POST',
    headers: { ...site.authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Rex', categoryId: 7 }),
  });
const answersAgain = (what: () => Promise<Response>) => eventually(async () => (await what()).ok);

describe('a night in the life of the service', () => {
  it('the database dies', async () => {
    diary.begin('The database dies', 'Its machine is switched off (`kill -9`).');
    await site.mariaDb.kill();
    await ring('PetstoreNotReady', 'PetstoreNoReplica', 'PetstoreProxyFailures');
    await diary.run('curl -s -i $PROXY/v1/pets');
    await diary.run(DOCTOR);
    diary.note('The machine is switched on again. Nothing else is done.');
    await site.mariaDb.launch();
    diary.note(`A list was answered ${await secondsOf(answersAgain(() => listed()))} s later.`);
    await fallSilent();
  });

  it('the database accepts no writes', async () => {
    diary.begin(
      'The database accepts no writes',
      'Somebody has left it read-only after a test of the backup.',
    );
    await diary.run("$SQL -e 'SET GLOBAL read_only = 1'");
    await ring('PetstoreDatabaseReadOnly');
    expect([(await listed()).status, (await added()).status]).toEqual([200, 503]);
    diary.note('Lists are answered with 200, new animals with 503 `database_read_only`.');
    await diary.run(DOCTOR);
    await diary.run("$SQL -e 'SET GLOBAL read_only = 0'");
    diary.note(`An animal was added ${await secondsOf(answersAgain(added))} s later.`);
    await fallSilent();
  });

  it('Redis and a replica die', async () => {
    diary.begin(
      'Redis and a replica die',
      'Both by `kill -9`. Clients notice neither: each process counts rates for itself.',
    );
    const { port } = site.redis;
    await site.redis.stop();
    await site.kill('replica 2');
    await ring('PetstoreRedisLost', 'PetstoreReplicaDown');
    expect([(await listed()).status, (await added()).status]).toEqual([200, 201]);
    await diary.run(DOCTOR);
    diary.note('Both are started again.');
    site.redis = await RedisServer.start(port);
    site.launch('replica 2');
    await fallSilent();
  });

  it('keys end soon', async () => {
    diary.begin('Keys end soon', 'The key of the clients ends tomorrow.');
    await diary.run('$SQL -e "UPDATE api_keys SET expires_at = (UNIX_TIMESTAMP() + 86400) * 1000"');
    await ring('PetstoreKeysEnding');
    await diary.run('petstore keys list');
    diary.note(
      'Its owner gets another one and puts it in; then the old one is revoked. (A rotation would keep the end.)',
    );
    const output = await diary.run('petstore keys issue --name "shop window" --expires 90d --json');
    site.secret = (JSON.parse(output) as { secret: string }).secret;
    await diary.run('petstore keys revoke 1');
    expect((await added()).status).toBe(201);
    await fallSilent();
  });

  it('others take the connections', async () => {
    diary.begin('Others take the connections', 'A report opens one connection for each of its tables.');
    const others = await Promise.all(
      Array.from({ length: 30 }, () =>
        createConnection({ host: '127.0.0.1', port: site.mariaDb.port, user: 'root' }),
      ),
    );
    const [open] = await site.mariaDb.query("SHOW GLOBAL STATUS LIKE 'Threads_connected'");
    const limit = Math.floor(Number(open!['Value']) / 0.85);
    await diary.run(`$SQL -e 'SET GLOBAL max_connections = ${limit}'`);
    await ring('PetstoreDatabaseConnections');
    await diary.run(
      '$SQL -e "SELECT user, COUNT(*) AS connections FROM information_schema.processlist GROUP BY user"',
    );
    diary.note('The report is ended.');
    for (const one of others) one.destroy();
    await diary.run("$SQL -e 'SET GLOBAL max_connections = 151'");
    await fallSilent();
  });

  it('a replica is set up wrongly', async () => {
    diary.begin(
      'A replica is set up wrongly',
      'A third one, in haste: two words that are none, a port that is taken.',
    );
    await diary.run(`LOG_LEVEL=loud PORT=http ${DOCTOR}`);
    await diary.run('LOG_LEVEL=loud petstore serve', { code: 1 });
    await diary.run('PORT=${PROXY##*:} petstore serve', { code: 1 });
  });

  it('is written down', () => diary.write(process.env['NIGHT_FILE'] ?? FILE));
});
