import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { spawnPetstore } from '../support/built-service.js';
import { existing, onEveryEngine, sqlite, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { petstore } from '../support/petstore.js';
import { startService } from '../support/service.js';

/** They are stored in batches of 500, so a kill can hit any of 6 batches. */
const RECORDS = 3_000;
const KILLS = 2;
/** One in this many records of the large file is invalid. */
const BAD = 100;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-import-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('petstore pets import', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let environment: Record<string, string>;
    beforeEach(async () => {
      database = await engine.create();
      environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true' };
    });
    afterEach(() => database.drop());

    const file = async (name: string, content: string) => {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    };
    const run = async (...args: string[]) => petstore(['pets', 'import', ...args], environment);
    const runForJson = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json');
      return { code, stdout, stderr, result: JSON.parse(stdout || '{}') as Record<string, number> };
    };
    const animals = async () => {
      const rows = await database.query('SELECT name, category_id AS category, status FROM pets ORDER BY id');
      return rows.map(({ name, category, status }) => `${name} ${category} ${status}`);
    };
    const stored = async () => {
      const [row] = await database.query('SELECT COUNT(*) AS n FROM pets');
      return Number(row!['n']);
    };
    const lastRecord = async () => {
      const [row] = await database.query('SELECT last_line FROM imports');
      return Number(row?.['last_line'] ?? 0);
    };

    const refusedOf = (stderr: string) =>
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { record: number; problems: { field: string; code: string }[] });

    it(
      'continues after it was killed, again and again: no pet is stored twice, and none is missing',
      { timeout: 240_000 },
      async () => {
        // The name of an invalid record has line breaks.
        const lines = Array.from({ length: RECORDS }, (_, i) =>
          i % BAD ? `Animal ${i},${i},` : `"Line\n${i},7\n""",${i},`,
        );
        const path = await file('large.csv', `name,categoryId,status\n${lines.join('\n')}\n`);
        let kills = 0;
        for (; kills < KILLS; kills++) {
          const before = await stored().catch(() => 0);
          const enough = before + 1 + Math.random() * (RECORDS / KILLS / 2);
          const program = spawnPetstore(['pets', 'import', '--resume', 'large', path], environment);
          await eventually(async () => !program.isRunning || (await stored()) > before);
          // Kills as soon as a batch is visible: if its number were not stored in the same transaction, it would be missing.
          while (program.isRunning && (await stored()) < enough) await turn();
          const { code } = await program.stop('SIGKILL');
          // On a machine that delays the test for long enough, the import is already finished.
          if (code !== null) break;
        }
        expect(kills).toBeGreaterThan(0);
        const done = await lastRecord();
        const other = await file('other.csv', `name,categoryId,status\n${lines.slice(1).join('\n')}\n`);
        const refused = await run('--resume', 'large', other);
        expect([refused.code, refused.stderr]).toEqual([
          4,
          expect.stringContaining('This is not the file that was cut off after'),
        ]);

        const { code, result } = await runForJson('--resume', 'large', path);
        const bad = RECORDS / BAD;
        const skipped = result['skipped']!;
        expect([code, result]).toEqual([
          1,
          { added: RECORDS - bad, refused: bad, skipped, seconds: expect.any(Number) },
        ]);
        // On SQLite a commit in progress at the last kill may be visible only when the next program opens the file.
        expect(skipped).toBeGreaterThanOrEqual(done);
        const expected = lines.flatMap((_, i) => (i % BAD ? `Animal ${i} ${i} available` : []));
        expect((await animals()).toSorted()).toEqual(expected.toSorted());
      },
    );

    // The other tests do not depend on the engine.
    if (engine !== sqlite) return;

    it('works beside the running service, which lists the imported pets and still adds others', async () => {
      const service = await startService(existing(database));
      let importing = true;
      const statuses = new Set<number>();
      const client = async () => {
        while (importing)
          statuses.add((await service.client.post('/v1/pets', { name: 'Beside', categoryId: 1 })).status);
      };
      const clients = [client(), client(), client(), client()];
      // A separate process, which has to share the file with the service.
      const seed = spawnPetstore(['pets', 'seed', '--count', '2000', '--json'], environment);
      const seeded = await seed.end();
      importing = false;
      await Promise.all(clients);
      await service.stop();
      expect(JSON.parse(seeded.stdout)).toMatchObject({ added: 2_000, refused: 0 });
      expect([...statuses]).toEqual([201]);
      const [row] = await database.query(`SELECT COUNT(*) AS n FROM pets WHERE name <> 'Beside'`);
      expect(Number(row!['n'])).toBe(2_000);
    });

    it('reports every problem of every bad record on standard error, as NDJSON, and adds the other records', async () => {
      const content = 'name,categoryId,status\nRex,x,lost\n"two\r\nlines",7,\n\nTom,9,sold\nBello,7\n';
      const { code, stdout, stderr } = await run(await file('bad.csv', content));
      expect([code, stdout]).toEqual([1, expect.stringMatching(/^added 1, refused 3, in [\d.]+ s\n$/)]);
      expect(refusedOf(stderr)).toMatchObject([
        { record: 1, problems: [{ field: 'categoryId' }, { field: 'status' }] },
        { record: 2, problems: [{ field: 'name', code: 'control_character' }] },
        { record: 4, problems: [{ field: '', code: 'invalid_type' }] },
      ]);
      expect(await animals()).toEqual(['Tom 9 sold']);
    });

    it.each(['--strict', '--dry-run'])('stores nothing of a bad file with %s', async (option) => {
      const path = await file('half.csv', 'name,categoryId\nRex,7\n,7\n');
      const { code, result } = await runForJson(option, '--resume', 'half', path);
      expect([code, result['refused']]).toEqual([1, 1]);
      expect(await animals()).toEqual([]);
      expect((await run('--resume', 'half', path)).code).toBe(1);
      expect(await animals()).toEqual(['Rex 7 available']);
    });

    it('reports how many records are stored, and what to do, when it is stopped', async () => {
      const pipe = join(folder, 'endless.csv');
      execFileSync('mkfifo', [pipe]);
      const writer = await open(pipe, 'r+');
      await writer.write(`name,categoryId\n${'Rex,7\n'.repeat(1_200)}`);
      const program = spawnPetstore(['pets', 'import', pipe], environment);
      await eventually(async () => (await stored().catch(() => 0)) === 1_000);
      const { code, stdout, stderr } = await program.stop('SIGTERM');
      await writer.close();
      // The process ends by the signal, without an exit code.
      expect(code).toBeNull();
      expect(stdout).toMatch(/^cut off after 1000 records: added 1000, refused 0, in [\d.]+ s\n$/);
      expect(stderr).toBe(
        'petstore: Stopped by SIGTERM: 1000 records are stored. Import the records after them. With --resume NAME, the same command continues there by itself.\n',
      );
      expect(await stored()).toBe(1_000);
    });

    it('reads standard input in one pass, so it cannot check all records of a pipe first', async () => {
      const feed = (...args: string[]) =>
        petstore(['pets', 'import', '--json', ...args, '-'], environment, 'name,categoryId\nRex,7\n');
      expect((await feed('--format', 'csv')).code).toBe(0);
      expect((await feed('--format', 'csv', '--strict', '--dry-run')).code).toBe(0);
      const strict = await feed('--format', 'csv', '--strict');
      expect([strict.code, strict.stderr]).toEqual([2, expect.stringContaining('so it needs a file')]);
      expect((await feed()).code).toBe(2);
      expect((await feed('--format', 'csv', '--resume', '')).code).toBe(2);
      expect(await animals()).toEqual(['Rex 7 available']);
      expect((await run('--format', 'csv', folder)).stderr).toBe(
        `petstore: ${folder} is a folder. Name a file in it.\n`,
      );
    });
  }));
