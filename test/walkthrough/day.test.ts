import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../support/built-service.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/local-program.js';
import { MariaDbServer } from '../support/mariadb-server.js';
import { Program } from '../support/program.js';
import { Diary } from './diary.js';
import { Traffic } from './traffic.js';

const root = resolve(import.meta.dirname, '../..');
const cli = join(root, 'dist/cli.js');
const animals = Number(process.env['WALKTHROUGH_ANIMALS'] ?? 1_000_000);

let folder: string;
let server: MariaDbServer;
let diary: Diary;
let environment: Record<string, string>;
let ports: number[];
let metricsPorts: number[];
let secret = '';
const replicas: Program[] = [];

const serve = (i: number, more: Record<string, string> = {}) => {
  const own = {
    PORT: String(ports[i]),
    METRICS_PORT: String(metricsPorts[i]),
    LOG_LEVEL: 'warn',
    DRAIN_DELAY: '500',
  };
  replicas[i] = Program.start(cli, ['serve'], { ...environment, ...own, ...more }, folder);
};
const isReady = (i: number) =>
  eventually(async () => (await fetch(`http://127.0.0.1:${ports[i]}/readyz`)).status === 200);
const secretIn = (output: string) => (JSON.parse(output) as { secret: string }).secret;
const METRICS = `grep -E '^petstore_(http_requests_total|key_cache_total|batch_size_count)'`;

beforeAll(async () => {
  build();
  folder = await mkdtemp(join(tmpdir(), 'petstore-day-'));
  const shim = join(folder, 'petstore');
  await writeFile(shim, `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  await chmod(shim, 0o755);
  server = await MariaDbServer.start();
  await server.query('CREATE DATABASE petstore', 'CREATE DATABASE restored');
  ports = [await freePort(), await freePort()];
  metricsPorts = [await freePort(), await freePort()];
  environment = { DATABASE_URL: server.url('petstore'), NODE_ENV: 'production' };
  const [A, B] = ports.map((port) => `http://127.0.0.1:${port}`);
  diary = new Diary(folder, {
    ...environment,
    PATH: `${folder}:${process.env['PATH']}`,
    A: A!,
    B: B!,
    METRICS: `http://127.0.0.1:${metricsPorts[0]}/metrics`,
    DB_PORT: String(server.port),
  });
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.isRunning && replica.stop()));
  await server.stop();
  await rm(folder, { recursive: true });
});

describe('a day in the life of the service', () => {
  it('starts: a schema, a key, two replicas', async () => {
    diary.begin('Start', 'An empty MariaDB. The schema and a key first, then two replicas.');
    await diary.run('petstore db migrate');
    const issue = 'petstore keys issue --name "shop window" --json';
    secret = secretIn(await diary.run(issue));
    serve(0);
    serve(1);
    await Promise.all([isReady(0), isReady(1)]);
    diary.note('`petstore serve` runs twice, with a `PORT` and a `METRICS_PORT` each. Both are ready:');
    await diary.run('curl -s $A/readyz $B/readyz');
    await diary.run('petstore doctor');
  });

  it('gets animals: seeded ones, and a file whose import is killed and goes on', async () => {
    diary.begin('Load data', `A thousand made-up animals, and a file with ${animals.toLocaleString('en')}.`);
    await diary.run('petstore pets seed --count 1000 --seed 7');
    await writeFile(join(folder, 'make.mjs'), makeCsv(animals));
    await diary.run('node make.mjs > animals.csv && wc -l animals.csv');
    const importing = Program.start(cli, ['pets', 'import', 'animals.csv'], environment, folder);
    const stored = async () =>
      Number((await server.query('SELECT COUNT(*) AS n FROM petstore.pets'))[0]!['n']);
    await eventually(async () => (await stored()) > 1_000 + animals / 10);
    await importing.stop('SIGKILL');
    diary.note(
      `The import was killed (\`kill -9\`) after ${(await stored()).toLocaleString('en')} animals were there. Again:`,
    );
    await diary.run('petstore pets import animals.csv');
    expect(await stored()).toBe(1_000 + animals);
  });

  it('is used, and the metrics move; a key is rotated meanwhile; a replica is drained, and no request fails', async () => {
    diary.begin('Traffic', 'Sixteen clients read and add animals, for the rest of this section.');
    await diary.run(`curl -s $METRICS | ${METRICS}`);
    const [pet] = await server.query('SELECT MIN(id) AS id FROM petstore.pets');
    const traffic = new Traffic(ports, () => secret, Number(pet!['id']));
    await answered(20_000);
    diary.note('A while later:');
    await diary.run(`curl -s $METRICS | ${METRICS}`);

    diary.begin('Rotate a key', 'The clients get a new key; both work until the old one is revoked.');
    secret = secretIn(await diary.run('petstore keys rotate 1 --overlap 1h --json'));
    await answered(5_000);
    await diary.run('petstore keys revoke 1');

    diary.begin(
      'Drain a replica',
      'SIGTERM to the second one; the clients go to the first. Then it starts again.',
    );
    const { code } = await replicas[1]!.stop();
    expect(code).toBe(0);
    await answered(5_000);
    serve(1);
    await isReady(1);
    const statuses = await traffic.stop();
    expect(Object.keys(statuses).sort()).toEqual(['200', '201']);
    diary.note(
      `It ended with code 0. All that the clients were answered this day: ${JSON.stringify(statuses)}.`,
    );
    await diary.run('petstore deprecations report');
  });

  it('has a backup, which is restored elsewhere', async () => {
    diary.begin('Back up and restore', 'A dump while the replicas run, into another database.');
    const connect = '--host=127.0.0.1 --port=$DB_PORT --user=root';
    await diary.run(
      `mariadb-dump ${connect} --single-transaction petstore > backup.sql && wc -c < backup.sql`,
    );
    await diary.run(`mariadb ${connect} restored < backup.sql`);
    const count = 'petstore pets export --format ndjson | wc -l';
    const before = await diary.run(count);
    const restored = `DATABASE_URL=${server.url('restored')}`;
    expect(await diary.run(`${restored} ${count}`, { shown: `DATABASE_URL=.../restored ${count}` })).toBe(
      before,
    );
  });

  it('is upgraded: a replica waits for the schema, and serves once it is there', async () => {
    diary.begin(
      'Upgrade the schema',
      'The restored database plays the older one: its newest migration is taken back.',
    );
    const url = server.url('restored');
    const on = async (command: string) =>
      diary.run(`DATABASE_URL=${url} ${command}`, { shown: `DATABASE_URL=.../restored ${command}` });
    await on('petstore db revert');
    await replicas[1]!.stop();
    serve(1, { DATABASE_URL: url });
    await eventually(async () => (await fetch(`http://127.0.0.1:${ports[1]}/readyz`)).status === 503);
    diary.note('A replica of the new version starts on it. It is alive, and not ready:');
    await diary.run('curl -s $B/livez $B/readyz');
    await on('petstore db status');
    await on('petstore db migrate');
    await isReady(1);
    diary.note('It was not restarted:');
    await diary.run('curl -s $B/readyz');
  });

  it('is written down', async () => {
    const file = process.env['WALKTHROUGH_FILE'] ?? join(root, 'docs/operations/walkthrough.md');
    await diary.write(file, INTRODUCTION);
  });
});

/** Waits until the first replica has answered so many requests more. */
async function answered(more: number): Promise<void> {
  const sum = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPorts[0]}/metrics`)).text();
    const counts = [...text.matchAll(/^petstore_http_requests_total\{.*\} (\d+)/gm)].map(([, n]) =>
      Number(n),
    );
    return counts.reduce((all, n) => all + n, 0);
  };
  const enough = (await sum()) + more;
  await eventually(async () => (await sum()) >= enough);
}

const makeCsv = (count: number) =>
  `process.stdout.write('name,categoryId,status\\n');
for (let i = 1; i <= ${count}; i += 1000)
  process.stdout.write(Array.from({ length: Math.min(1000, ${count} - i + 1) }, (_, k) => \`Animal \${i + k},\${(i + k) % 50},\${['available', 'pending', 'sold'][(i + k) % 3]}\\n\`).join(''));
`;

const INTRODUCTION = `# A day in the life

Written by \`npm run walkthrough\`, which does what stands here and keeps what was printed. Keys are cut after a few
characters, long outputs in their middle. \`$A\` and \`$B\` are the two replicas, \`$METRICS\` the metrics of the first.
`;
