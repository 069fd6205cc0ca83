import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundled, startBundled } from '../../support/built-service.js';
import { eventually } from '../../support/eventually.js';
import { petstore } from '../../support/petstore.js';
import { Program } from '../../support/program.js';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'petstore-private-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** The mode of each file in the folder. */
const modes = () =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );

function inShell(umask: string, program: 'cli' | 'main', ...args: string[]) {
  const { PATH = '' } = process.env;
  const script = `umask ${umask}; exec "$@"`;
  const environment = { PATH, PORT: '0', DATABASE_URL: 'sqlite:./pets.db', MIGRATE_ON_START: 'true' };
  return Program.run(
    'sh',
    ['-c', script, 'sh', process.execPath, bundled(program), ...args],
    environment,
    folder,
  );
}

it.each(['000', '022', '077'])(
  'Commands and the service create files that only their user can read: umask %s',
  async (umask) => {
    expect(await inShell(umask, 'cli', 'keys', 'issue', '--name', 'x').end()).toMatchObject({ code: 0 });
    expect(modes()).toEqual({ 'pets.db': '600' });
    writeFileSync(join(folder, 'copy.backup.partial'), '', { mode: 0o644 });
    expect(await inShell(umask, 'cli', 'db', 'backup', 'copy.backup').end()).toMatchObject({ code: 0 });
    const service = inShell(umask, 'main');
    await service.printed(/Pet Store +http/);
    await eventually(async () => expect(Object.keys(modes())).toContain('pets.db-wal'));
    expect(Object.keys(modes())).toEqual(
      expect.arrayContaining(['copy.backup', 'pets.db', 'pets.db-service', 'pets.db-shm', 'pets.db-wal']),
    );
    expect(new Set(Object.values(modes()))).toEqual(new Set(['600']));
    await service.stop();
  },
);

/** A name that clears the screen of a terminal, and one that reverses the text behind it. */
const NAME = 'a\u001b[2J\u202eb';
const SHOWN = String.raw`a\u001b[2J\u202eb`;

it.each([
  ['pets', 'import', `${NAME}.csv`],
  ['pets', 'import', NAME],
  ['pets', 'import', `${NAME}.csv`, '--json'],
  ['db', 'backup', `${NAME}/none`],
  ['db', 'backup', `${NAME}`],
  ['db', NAME],
  [NAME],
])('A name with escape sequences is escaped in messages: %j', async (...args) => {
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'pets.db')}`, MIGRATE_ON_START: 'true' };
  const inFolder = args.map((argument, i) => (i === 2 ? join(folder, argument) : argument));
  const { output } = await petstore(inFolder, environment);
  expect(output).toContain(SHOWN);
  for (const character of ['\u001b', '\u202e']) expect(output).not.toContain(character);
});

it('A name with escape sequences is escaped in messages of the service', async () => {
  writeFileSync(join(folder, NAME.slice(-2)), '');
  const { code, stderr } = await startBundled(
    { DATABASE_URL: `sqlite:./${NAME.slice(-2)}/pets.db` },
    folder,
  ).end();
  expect([code, stderr]).toEqual([1, expect.stringContaining(SHOWN.slice(-7))]);
  expect(stderr).not.toContain('\u202e');
});
