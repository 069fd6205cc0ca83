import { PassThrough } from 'node:stream';
import SqliteFile from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../src/command-line.js';
import { CREATE_LEASES } from '../../../src/platform/database/migrations/create-leases.migration.js';
import { keepObjects } from '../../../src/platform/database/sqlite/kept-objects.js';
import { onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { freePort } from '../../support/processes/local-program.js';
import { petstore } from '../../support/petstore.js';
import { Recorder } from '../../support/site/recorder.js';

/** The commands that `--help` lists, down to those without subcommands. */
async function leaves(...words: string[]): Promise<string[][]> {
  const { stdout } = await petstore([...words, '--help'], {});
  const [, named = ''] = /^Commands:\n((?: {2,}.*\n)+)/m.exec(stdout) ?? [];
  const names = [...named.matchAll(/^ {2}(\w+)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help');
  if (names.length === 0) return [words];
  return (await Promise.all(names.map((name) => leaves(...words, name)))).flat();
}

it('every command but the service itself has a deadline, which can be set', async () => {
  const commands = await leaves();
  expect(commands.length).toBeGreaterThan(15);
  for (const command of commands) {
    const { stdout } = await petstore([...command, '--help'], {});
    expect([command, stdout.includes('--timeout <duration>')]).toEqual([command, command[0] !== 'serve']);
  }
});

it.each(['soon', '0s', '-1s', ''])('a deadline is not %j', async (timeout) => {
  const { code, stderr } = await petstore(['keys', 'list', '--timeout', timeout], {});
  expect([code, stderr]).toEqual([2, expect.stringContaining('--timeout')]);
});

describe('a command that comes to no end', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    const cleanUps: (() => unknown)[] = [];
    beforeAll(async () => void (database = await engine.create()));
    afterAll(() => database.drop());
    afterEach(async () => {
      for (const cleanUp of cleanUps.splice(0)) await cleanUp();
    });
    const run = (args: string[], { url } = database) =>
      petstore(args, { DATABASE_URL: url, MIGRATE_ON_START: 'true' });

    it('for another one changes the schema, is ended by its deadline, and says so', async () => {
      const fresh = await engine.create();
      cleanUps.push(() => fresh.drop());
      const { sqlite, mysql } = CREATE_LEASES;
      await fresh.execute(
        engine.name === 'SQLite' ? sqlite : mysql,
        "INSERT INTO leases (name, holder, beat) VALUES ('migrations', 'somebody', 1)",
      );
      const refused = async (words: string) => {
        const { code, stdout, stderr } = await run([...words.split(' '), '--timeout', '3s'], fresh);
        const ended = `petstore: "${words}" did not end within 3 s\\. It waited for (?:SQLite|MySQL) .*\\. `;
        const advice =
          'Nothing was changed: see what is wrong with "petstore doctor", or give it longer with --timeout';
        expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(`${ended}${advice}\\.\n$`)]);
        return stderr;
      };
      const [json, ...said] = await Promise.all([
        run(['events', 'status', '--timeout', '3s', '--json'], fresh),
        refused('keys list'),
        refused('db migrate'),
      ]);
      expect(json.stderr).toContain('"code":"timed_out"');
      // The three share the log of this process.
      const waiting = 'Waiting for another process, which holds the lease \\"migrations\\".';
      expect([json.stderr, ...said].join('')).toContain(waiting);
      await fresh.execute('DELETE FROM leases');
      const { code, stderr } = await run(['keys', 'list', '--timeout', 'none'], fresh);
      expect([code, stderr]).toEqual([0, '']);
    });

    it('for somebody locks what it is to change, is ended by its deadline, and says so', async () => {
      await run(['db', 'migrate']);
      cleanUps.push(await lock(database));
      const { code, stderr } = await run(['keys', 'issue', '--name', 'shop', '--timeout', '2s']);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/"keys issue" did not end within 2 s.*check with "petstore keys list"/),
      ]);
    });

    it('for it waits for its input, is ended by its deadline, and has changed nothing', async () => {
      const [stdin, stdout, stderr] = [new PassThrough(), new Recorder(), new Recorder()];
      const args = ['pets', 'import', '-', '--format', 'csv', '--timeout', '1s'];
      const terminal = { env: { DATABASE_URL: database.url }, stdin, stdout, stderr };
      expect(await runCommandLine(args, terminal)).toBe(1);
      expect(stderr.text).toMatch(/did not end within 1 s\. It waited for its input\. Nothing was changed/);
      stdin.end();
    });

    it.each([
      'keys list',
      'keys issue --name x',
      'db migrate',
      'db status',
      'events status',
      'doctor',
      'pets export',
    ])('and needs no Redis: %s says nothing of one that is away', async (words) => {
      await run(['db', 'migrate']);
      const environment = { DATABASE_URL: database.url, REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
      const { stderr } = await petstore(words.split(' '), environment);
      expect(stderr).toBe('');
    });
  }));

/** Another client locks the keys against writes. @returns a function that releases the lock */
async function lock({ url }: TestDatabase): Promise<() => unknown> {
  if (url.startsWith('sqlite:')) {
    const file = new SqliteFile(url.slice('sqlite:'.length));
    keepObjects(file);
    file.exec('BEGIN IMMEDIATE');
    return () => file.close();
  }
  const connection = await createConnection(url);
  await connection.query('LOCK TABLES api_keys WRITE');
  return () => connection.end();
}
