import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PET_STATUSES } from '../../src/pets/domain/pet-status.js';
import { build, spawnPetstore } from '../support/built-service.js';
import { existing, onEveryEngine, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { petstore } from '../support/petstore.js';
import { startService } from '../support/service.js';

/** They are stored in batches of 500, so a kill can hit any of 24 batches. */
const LINES = 12_000;
const KILLS = 3;
/** One in this many lines of the large file is invalid. */
const BAD = 100;

let folder: string;
beforeAll(async () => {
  build();
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

    const file = async (name: string, content: string | Buffer) => {
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
    const lastLine = async () => {
      const [row] = await database.query('SELECT last_line FROM imports');
      return Number(row?.['last_line'] ?? 0);
    };

    it(
      'goes on where it was killed, again and again: no pet twice, none missing',
      { timeout: 240_000 },
      async () => {
        const lines = Array.from({ length: LINES }, (_, i) => (i % BAD ? `Animal ${i},${i},` : `,${i},`));
        const path = await file('large.csv', `name,categoryId,status\n${lines.join('\n')}\n`);
        let kills = 0;
        for (; kills < KILLS; kills++) {
          const before = await stored().catch(() => 0);
          const enough = before + 1 + Math.random() * (LINES / KILLS / 2);
          const program = spawnPetstore(['pets', 'import', path], environment);
          await eventually(async () => !program.isRunning || (await stored()) > before);
          // Kills as soon as a batch is visible: if its last line were not stored in the same transaction, it would be missing.
          while (program.isRunning && (await stored()) < enough) await turn();
          const { code } = await program.stop('SIGKILL');
          // On a machine that delays the test for long enough, the import is already finished.
          if (code !== null) break;
        }
        expect(kills).toBeGreaterThan(0);
        const done = (await lastLine()) - 1;

        const { code, result } = await runForJson(path);
        const refused = LINES / BAD;
        const skipped = result['skipped']!;
        expect([code, result]).toEqual([
          5,
          { added: LINES - refused, refused, skipped, seconds: expect.any(Number) },
        ]);
        // On SQLite a commit in progress at the last kill may be visible only when the next program opens the file.
        expect(skipped).toBeGreaterThanOrEqual(done);
        const expected = lines.flatMap((_, i) => (i % BAD ? `Animal ${i} ${i} available` : []));
        expect((await animals()).toSorted()).toEqual(expected.toSorted());

        const again = await runForJson(path);
        expect(again.result).toMatchObject({ added: LINES - refused, skipped: LINES });
        expect(await animals()).toHaveLength(expected.length);
      },
    );

    it('takes all integers exactly, byte order marks, CR LF, quotes and empty lines', async () => {
      const path = await file(
        'odd.csv',
        '\ufeffstatus,"name",categoryId\r\n,"Re""x, the first",9007199254740993\r\n\r\nsold,=1+1,-9223372036854775808',
      );
      const { code, stdout, stderr } = await run(path);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^added 2, refused 0, in [\d.]+ s\n$/);
      expect(
        await database.query('SELECT name, CAST(category_id AS CHAR) AS category FROM pets ORDER BY id'),
      ).toEqual([
        { name: 'Re"x, the first', category: '9007199254740993' },
        { name: '=1+1', category: '-9223372036854775808' },
      ]);
    });

    it('names every problem of every bad line by its number, and adds the others', async () => {
      const content = Buffer.concat([
        Buffer.from('name,categoryId,status\nRex,x,lost\n"open,7\n\nBello,7\n'),
        Buffer.from([0x78, 0xff, 0x0a]),
        Buffer.from(`${'y'.repeat(70_000)},7,\nTom,9,sold\nfelix,"9`),
      ]);
      const path = await file('bad.csv', content);
      const { code, stderr } = await run(path);
      expect(code).toBe(5);
      expect(stderr.split('\n')).toEqual([
        `line 2: categoryId must be an integer; status must be one of ${PET_STATUSES.join(', ')}`,
        'line 3: has a quoted cell that does not end in this line',
        'line 5: has 2 of the 3 cells that the first line names',
        'line 6: is not valid UTF-8',
        'line 7: is longer than 65536 bytes',
        'line 9: has a quoted cell that does not end in this line',
        'petstore: 6 lines were refused.',
        '',
      ]);
      expect(await animals()).toEqual(['Tom 9 sold']);
    });

    it('writes refused lines into a file, one JSON text a line', async () => {
      const path = await file('bad.ndjson', '{"name":"Rex","categoryId":7}\n{"name":"","id":1}\n[]\n{"na');
      const errors = join(folder, 'refused.ndjson');
      const { code, stdout, stderr, result } = await runForJson(path, '--errors', errors);
      expect([code, stdout.split('\n').length]).toEqual([5, 2]);
      expect(result).toMatchObject({ added: 1, refused: 3, skipped: 0 });
      expect(JSON.parse(stderr)).toEqual({ code: 'input_refused', message: '3 lines were refused.' });
      const refused = (await readFile(errors, 'utf8')).trimEnd().split('\n');
      expect(refused.map((line) => JSON.parse(line) as object)).toMatchObject([
        { line: 2, problems: [{ field: 'name', code: 'blank' }, { field: 'categoryId' }, { field: 'id' }] },
        { line: 3, problems: [{ field: '', code: 'invalid_type' }] },
        { line: 4, problems: [{ field: '', code: 'malformed_text' }] },
      ]);
    });

    it.each(['--strict', '--dry-run'])('stores nothing of a bad file with %s', async (option) => {
      const path = await file('half.csv', 'name,categoryId\nRex,7\n,7\n');
      const { code, result } = await runForJson(option, path);
      expect([code, result['refused']]).toEqual([5, 1]);
      expect(await animals()).toEqual([]);
      expect((await run(path)).code).toBe(5);
      expect(await animals()).toEqual(['Rex 7 available']);
    });

    it('reads standard input, compressed or not, and takes the same lines once', async () => {
      const command = (...args: string[]) => ['pets', 'import', '--strict', '--json', ...args, '-'];
      const feed = (input: string | Buffer, ...args: string[]) =>
        petstore(command(...args), environment, input);
      const csv = 'name,categoryId\nRex,7\n';
      const program = spawnPetstore(command('--format', 'csv'), environment).feed(gzipSync(csv));
      expect((await program.end()).code).toBe(0);
      expect((await feed(csv, '--format', 'csv')).stdout).toContain('"skipped":0');
      expect((await feed(csv, '--format', 'csv')).stdout).toContain('"skipped":1');
      expect(await animals()).toHaveLength(2);
      expect((await feed(csv, '--format', 'csv', '--again')).stdout).toContain('"skipped":0');
      expect(await animals()).toHaveLength(3);
      expect((await feed(csv)).code).toBe(2);
    });

    it('works beside the running service, which shows what came in and goes on adding', async () => {
      const service = await startService(existing(database));
      let importing = true;
      const statuses = new Set<number>();
      const client = async () => {
        while (importing)
          statuses.add((await service.client.post('/v1/pets', { name: 'Beside', categoryId: 1 })).status);
      };
      const clients = [client(), client(), client(), client()];
      // A separate process, which has to share the file with the service.
      const seed = spawnPetstore(['pets', 'seed', '--count', '20000', '--json'], environment);
      const seeded = await seed.end();
      importing = false;
      await Promise.all(clients);
      await service.stop();
      expect(JSON.parse(seeded.stdout)).toMatchObject({ added: 20_000, refused: 0 });
      expect([...statuses]).toEqual([201]);
      const [row] = await database.query(`SELECT COUNT(*) AS n FROM pets WHERE name <> 'Beside'`);
      expect(Number(row!['n'])).toBe(20_000);
    });

    it('takes what spreadsheets write, but no number whose digits they have dropped', async () => {
      const path = await file(
        'sheet.csv',
        '\ufeffname ; categoryId;\r\nRex;70071992547409;\r\n;1,23457E+18;\r\n;;\r\n',
      );
      const { code, stderr } = await run(path);
      expect([code, await animals()]).toEqual([5, ['Rex 70071992547409 available']]);
      const [exponent] = stderr.split('\n');
      expect(exponent).toBe(
        'line 3: categoryId has an exponent, with which spreadsheets lose digits; format the column as text, ' +
          'or as a number without decimals; name is required',
      );
    });

    it.each<[string, string | Buffer, string]>([
      ['unicode.csv', Buffer.from('\ufeffname\tcategoryId\n', 'utf16le'), 'must name, in UTF-8, the columns'],
      ['nothing.csv', '', 'The file is empty.'],
      ['columns.csv', 'name,categoryId,stauts\n', 'Line 1: stauts is not known; did you mean status.'],
      ['headless.csv', 'Rex,7\n', 'name is required'],
      ['twice.csv', 'name,categoryId,name\n', 'name is there twice'],
      ['ids.csv', 'id,name,categoryId\n', 'id is assigned by the service; leave it out'],
      ['utf16.csv', Buffer.from('name,categoryId\n', 'utf16le'), 'Line 1: '],
      [
        'cut.csv.gz',
        gzipSync('name,categoryId\nRex,7\n').subarray(0, -9),
        'is damaged, or ends before its end',
      ],
    ])('refuses %s as a whole, and says why', async (name, content, reason) => {
      const { code, stdout, stderr } = await run(await file(name, content));
      expect([code, stdout]).toEqual([5, '']);
      expect(stderr).toContain(reason);
      expect(await animals()).toEqual([]);
    });
  }));
