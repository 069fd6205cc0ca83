import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../support/built-service.js';
import { eventually } from '../support/eventually.js';
import { animalsFile } from './animals-file.js';
import type { Diary } from './diary.js';
import { Site } from './site.js';
import { Traffic } from './traffic.js';

const FILE = resolve(import.meta.dirname, '../../docs/operations/walkthrough.md');
const ANIMALS = Number(process.env['WALKTHROUGH_ANIMALS'] ?? 1_000_000);
const METRICS = `curl -s $METRICS | grep -E '^petstore_(http_requests_total|key_cache_total|batch_size_count)'`;

let site: Site;
let diary: Diary;
let secret = '';
const secretIn = (output: string) => (JSON.parse(output) as { secret: string }).secret;

beforeAll(async () => {
  build();
  site = await Site.open();
  diary = site.diary;
});
afterAll(() => site.close());

describe('a day in the life of the service', () => {
  it('starts: a schema, a key, two replicas', async () => {
    diary.begin('Start', 'An empty MariaDB. The schema and a key first, then two replicas.');
    await diary.run('petstore db migrate');
    secret = secretIn(await diary.run('petstore keys issue --name "shop window" --json'));
    site.serve(0);
    site.serve(1);
    await Promise.all([site.turns(0, 200), site.turns(1, 200)]);
    diary.note('`petstore serve` runs twice, with a `PORT` and a `METRICS_PORT` each. Both are ready:');
    await diary.run('curl -s $A/readyz $B/readyz');
    await diary.run('petstore doctor');
  });

  it('gets pets: made-up ones, and a file whose import is killed and goes on', async () => {
    diary.begin('Load data', `A thousand made-up animals, and a file with ${ANIMALS.toLocaleString('en')}.`);
    await diary.run('petstore pets seed --count 1000 --seed 7');
    await writeFile(join(site.folder, 'animals.csv'), animalsFile(ANIMALS));
    await diary.run('head -3 animals.csv; wc -l animals.csv');
    const importing = site.petstore('pets', 'import', 'animals.csv');
    await eventually(async () => (await site.stored()) > 1_000 + ANIMALS / 10);
    await importing.stop('SIGKILL');
    const stored = (await site.stored()).toLocaleString('en');
    diary.note(`The import was killed (\`kill -9\`) when ${stored} animals were there. Once more:`);
    await diary.run('petstore pets import animals.csv');
    expect(await site.stored()).toBe(1_000 + ANIMALS);
  });

  it('is used, and the metrics move; a key is rotated; a replica is drained, and no request fails', async () => {
    diary.begin('Traffic', 'Sixteen clients read and add animals, from here until the replica is back.');
    await diary.run(METRICS);
    const [pet] = await site.server.query('SELECT MIN(id) AS id FROM petstore.pets');
    const traffic = new Traffic(site.ports, () => secret, Number(pet!['id']));
    await site.answers(20_000);
    diary.note('A while later:');
    await diary.run(METRICS);

    diary.begin('Rotate a key', 'The clients get a new key; both work until the old one is revoked.');
    secret = secretIn(await diary.run('petstore keys rotate 1 --overlap 1h --json'));
    await site.answers(5_000);
    await diary.run('petstore keys revoke 1');

    diary.begin(
      'Drain a replica',
      'SIGTERM to the second one; the clients go to the first. Then it starts again.',
    );
    expect((await site.stop(1)).code).toBe(0);
    await site.answers(5_000);
    site.serve(1);
    await site.turns(1, 200);
    const statuses = await traffic.stop();
    expect(Object.keys(statuses).sort()).toEqual(['200', '201']);
    diary.note(
      `It ended with code 0. All that the clients were answered this day: ${JSON.stringify(statuses)}.`,
    );
  });

  it('has a backup, which is restored elsewhere', async () => {
    diary.begin('Back up and restore', 'A dump while the replicas run, into another database.');
    const connect = '--host=127.0.0.1 --port=$DB_PORT --user=root';
    await diary.run(`mariadb-dump ${connect} --single-transaction petstore > backup.sql; wc -c < backup.sql`);
    await diary.run(`mariadb ${connect} restored < backup.sql`);
    const count = 'petstore pets export --format ndjson | wc -l';
    const before = await diary.run(count);
    expect(await onRestored(count)).toBe(before);
  });

  it('is upgraded: a replica waits for the schema, and serves once it is there', async () => {
    diary.begin(
      'Upgrade the schema',
      'The restored database plays the older one: its newest migration is taken back.',
    );
    await onRestored('petstore db revert --yes');
    await site.stop(1);
    site.serve(1, { DATABASE_URL: site.server.url('restored') });
    await site.turns(1, 503);
    diary.note('A replica of the new version starts on it. It is alive, and not ready:');
    await diary.run('curl -s $B/livez $B/readyz');
    await onRestored('petstore db status');
    await onRestored('petstore db migrate');
    await site.turns(1, 200);
    diary.note('It was not restarted:');
    await diary.run('curl -s $B/readyz');
  });

  it('is written down', () => diary.write(process.env['WALKTHROUGH_FILE'] ?? FILE));
});

const onRestored = (command: string) =>
  diary.run(`DATABASE_URL=${site.server.url('restored')} ${command}`, {
    shown: `DATABASE_URL=.../restored ${command}`,
  });
