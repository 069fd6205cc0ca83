import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build, bundled } from '../../support/built-service.js';
import { petstore } from '../../support/petstore.js';
import { Program } from '../../support/program.js';

const PETS = 3;

/** Files as a machine has them: links, modes, pipes. Commands run in a shell, in a folder of their own. */
describe('the files of commands', () => {
  let folder: string;
  let environment: Record<string, string>;
  let all: string;
  beforeAll(async () => {
    build();
    folder = await mkdtemp(join(tmpdir(), 'petstore-files-'));
    environment = {
      DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}`,
      MIGRATE_ON_START: 'true',
      PATH: process.env['PATH'] ?? '',
    };
    expect((await petstore(['pets', 'seed', '--count', String(PETS)], environment)).code).toBe(0);
    all = (await petstore(['pets', 'export'], environment)).stdout;
    expect(all.trimEnd().split('\n')).toHaveLength(1 + PETS);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Where a test works; `temporary` is the folder of the system for temporary files. */
  let here: string;
  let temporary: string;
  beforeEach(async () => {
    here = await mkdtemp(join(folder, 'work-'));
    temporary = join(here, 'temporary');
    await mkdir(temporary);
  });

  /** Runs a script in which `petstore` is the program. */
  const shell = (script: string, variables: Record<string, string> = {}) => {
    const program = `petstore() { "${process.execPath}" "${bundled('cli')}" "$@"; }; ${script}`;
    const given = { ...environment, TMPDIR: temporary, ...variables };
    return Program.run('/bin/bash', ['--norc', '-c', program], given, here).end();
  };
  const read = (name: string) => readFile(join(here, name), 'utf8');
  const petsIn = (name: string) => {
    const file = new SqliteFile(join(here, name), { readonly: true });
    const { pets } = file.prepare('SELECT COUNT(*) AS pets FROM pets').get() as { pets: number };
    file.close();
    return pets;
  };

  describe('that are written', () => {
    it('are what a link leads to, and the link stays, whether its target is there or not', async () => {
      await mkdir(join(here, 'real'));
      await writeFile(join(here, 'real/old.csv'), 'old');
      await symlink('real/old.csv', join(here, 'link.csv'));
      await symlink('real', join(here, 'folder'));
      await symlink('../real/new.csv', join(here, 'real/again.csv'));
      const ending = await shell(
        'petstore pets export --out link.csv && petstore pets export --out folder/again.csv && petstore db backup folder/copy.db',
      );
      expect([ending.code, ending.stderr]).toEqual([0, '']);
      expect(ending.stdout).toContain('wrote 3 animals to link.csv');
      expect([await read('real/old.csv'), await read('real/new.csv'), petsIn('real/copy.db')]).toEqual([
        all,
        all,
        PETS,
      ]);
      for (const link of ['link.csv', 'real/again.csv', 'folder'])
        expect((await lstat(join(here, link))).isSymbolicLink(), link).toBe(true);
      expect((await readdir(join(here, 'real'))).join()).not.toContain('unfinished');
    });

    it('are what a link of a backup leads to, which is not there yet', async () => {
      await symlink('backup.db', join(here, 'latest.db'));
      expect((await shell('petstore db backup latest.db')).code).toBe(0);
      expect([petsIn('backup.db'), (await lstat(join(here, 'latest.db'))).isSymbolicLink()]).toEqual([
        PETS,
        true,
      ]);
    });

    it('keep the mode that they had', async () => {
      await writeFile(join(here, 'pets.csv'), 'old');
      await chmod(join(here, 'pets.csv'), 0o640);
      expect((await shell('umask 0; petstore pets export --out pets.csv')).code).toBe(0);
      expect([await read('pets.csv'), (await stat(join(here, 'pets.csv'))).mode & 0o7777]).toEqual([
        all,
        0o640,
      ]);
    });

    it('may be a FIFO, which stays one', async () => {
      const { code, stderr } = await shell(
        `mkfifo pets copy refused
         cat pets > pets.csv & petstore pets export --out pets && wait $! &&
         { cat copy > copy.db & petstore db backup copy && wait $!; } || exit 1
         { cat refused > refused.ndjson & printf 'name,categoryId\n,7\n' |
           petstore pets import --dry-run --format csv --errors refused - ; wait $!; }`,
      );
      expect([code, stderr]).toEqual([0, 'petstore: 1 line was refused.\n']);
      expect([await read('pets.csv'), petsIn('copy.db')]).toEqual([all, PETS]);
      expect(await read('refused.ndjson')).toMatch(/^{"line":2,"problems":.*}\n$/);
      for (const fifo of ['pets', 'copy', 'refused'])
        expect((await stat(join(here, fifo))).isFIFO(), fifo).toBe(true);
      expect(await readdir(temporary)).toEqual([]);
    });

    it('may be a device, which stays one', async () => {
      await symlink('/dev/null', join(here, 'nowhere'));
      const { code, stderr } = await shell(
        'petstore pets export --out nowhere && petstore db backup nowhere',
      );
      expect([code, stderr]).toEqual([0, '']);
      expect((await stat(join(here, 'nowhere'))).isCharacterDevice()).toBe(true);
    });

    it.each(['-', '/dev/stdout'])('may be standard output, with all messages beside it: %s', async (name) => {
      const exported = await shell(`echo before > pets.csv; petstore pets export --out ${name} >> pets.csv`);
      expect([exported.code, exported.stderr]).toEqual([0, `wrote ${PETS} animals to ${name}\n`]);
      expect(await read('pets.csv')).toBe(`before\n${all}`);
      const piped = await shell(`petstore db backup ${name} --json | cat > copy.db`);
      expect([JSON.parse(piped.stderr), petsIn('copy.db')]).toEqual([{ file: name }, PETS]);
      const refused = await shell(
        `printf 'name,categoryId\n,7\n' | petstore pets import --dry-run --format csv --errors ${name} -`,
      );
      expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([5, { line: 2 }]);
      expect(refused.stderr).toMatch(/^would add 0, refused 1, in .* s\npetstore: 1 line was refused.\n$/);
    });

    const ABSENT = 'There is no folder absent. Make it, or name a file in another one.';
    it.each([
      ['pets export --out temporary', 'temporary is a folder. Name a file in it.'],
      ['pets export --out absent/', 'absent/ is a folder. Name a file in it.'],
      ['pets export --out absent/pets.csv', ABSENT],
      ['db backup absent/copy.db', ABSENT],
      ['pets export --out /dev/null/pets.csv', ABSENT.replace('absent', '/dev/null')],
      ['db backup temporary', 'temporary exists. Name a file that does not.'],
      ['pets import --format csv --errors temporary -', 'temporary is a folder. Name a file in it.'],
    ])('are no folder, and in one that is there: %s', async (words, sentence) => {
      // In this process, whose folder is another one.
      const args = words.split(' ').map((word) => word.replace(/^(?:temporary|absent)/, join(here, '$&')));
      const { code, stdout, stderr } = await petstore(args, environment, 'name,categoryId\n');
      expect([code, stdout, stderr.replaceAll(`${here}/`, '')]).toEqual([4, '', `petstore: ${sentence}\n`]);
      expect(await readdir(here)).toEqual(['temporary']);
    });
  });

  describe('that are read', () => {
    /** Each way to give the same file, which has no name that tells its format. */
    const WAYS = {
      'standard input': 'petstore pets import --json --format csv - < pets.csv',
      'the device of standard input': 'cat pets.csv | petstore pets import --json --format csv /dev/stdin',
      'the output of another command': 'petstore pets import --json --format csv <(gzip -c pets.csv)',
      'a FIFO': 'mkfifo pipe; cat pets.csv > pipe & petstore pets import --json --format csv pipe',
    };

    it.each(Object.entries(WAYS))('may be %s, and are the same file again', async (way, script) => {
      // Compressed, it is another file.
      await writeFile(join(here, 'pets.csv'), `name,categoryId\nRex ${way.replaceAll(' ', '-')},7\n,7\n`);
      for (const skipped of [0, 2]) {
        const { code, stdout } = await shell(script.replace('mkfifo pipe', skipped ? 'true' : 'mkfifo pipe'));
        expect([code, JSON.parse(stdout)]).toMatchObject([5, { added: 1, refused: 1, skipped }]);
      }
      expect(await readdir(temporary)).toEqual([]);
    });

    it('are no folder', async () => {
      const { code, stderr } = await petstore(['pets', 'import', '--format', 'csv', here], environment);
      expect([code, stderr]).toEqual([3, `petstore: ${here} is a folder. Name a file in it.\n`]);
    });
  });
});
