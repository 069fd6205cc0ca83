import { existsSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseFile, DatabaseFileLocked } from '../../../../src/platform/database/sqlite/database-file.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'petstore-file-')));
  file = join(folder, 'pets.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (path: string, mounts?: string) => DatabaseFile.open({ engine: 'sqlite', file: path }, mounts)!;

describe('the file of a database', () => {
  it('is created with its folder', () => {
    const deep = join(folder, 'a/b/pets.db');
    expect([open(deep).path, existsSync(deep)]).toEqual([deep, true]);
  });

  it.each<[string, () => string]>([
    ['a relative path', () => `./${relative(process.cwd(), file)}`],
    ['dots', () => `${folder}/../${folder.split('/').at(-1)}/./pets.db`],
    ['a folder of the system', () => `/proc/self/cwd/${relative(process.cwd(), file)}`],
    ['a link to it', () => linked(file)],
    ['a link to a link', () => linked(linked(file))],
    ['a link to its folder', () => join(linked(folder), 'pets.db')],
    ['a relative link', () => linked('pets.db')],
  ])('belongs to one service, also if the other one names it by %s', async (_, spelling) => {
    const other = spelling();
    // Here the link leads nowhere yet, and the file is created through it.
    await open(other).lock();
    expect(open(other).path).toBe(file);
    await expect(open(file).lock()).rejects.toThrow(DatabaseFileLocked);
    await expect(open(file).lock()).rejects.toThrow(
      `SQLite ${file} is in use by another running service. Stop it`,
    );
  });

  let links = 0;
  function linked(target: string): string {
    const link = join(folder, `link-${(links += 1)}`);
    symlinkSync(target, link);
    return link;
  }

  it('has one name only', () => {
    writeFileSync(file, '');
    linkSync(file, join(folder, 'other.db'));
    expect(() => open(file)).toThrow(
      /pets\.db has several names \(hard links\)\. Delete the others, or copy it/,
    );
    expect(() => open(join(folder, 'other.db'))).toThrow('hard links');
    rmSync(join(folder, 'other.db'));
    expect(open(file).path).toBe(file);
  });

  it('is mounted with the files beside it, or not at all', () => {
    const table = join(folder, 'mountinfo');
    const named = join(folder, 'my pets.db');
    const mount = (point: string) => `36 35 98:0 /root ${point} rw,noatime master:1 - ext3 /dev/root rw\n`;
    writeFileSync(table, mount('/') + mount(named.replaceAll(' ', '\\040')));
    expect(() => open(named, table)).toThrow(
      /my pets\.db is mounted as a single file, .* Mount its folder instead\./,
    );
    expect(open(file, table).path).toBe(file);
  });

  it.each<[string, () => string, RegExp]>([
    ['is a folder', () => folder, /is a folder \(EISDIR\)\. Name a file in it, such as .*\/petstore\.db\.$/],
    ['is a device', () => '/dev/null', /^SQLite \/dev\/null .*is no regular file\. Name another/],
    [
      'is in a file',
      () => join(regular(), 'pets.db'),
      /ENOTDIR: not a directory, .*regular\/pets\.db.* \(as user \d+\)\. Correct the path/,
    ],
    ['is deep in a file', () => join(regular(), 'a/pets.db'), /ENOTDIR: not a directory, .*Correct the path/],
    [
      'leads nowhere',
      () => linked(join(folder, 'none/pets.db')),
      /ENOENT: no such file or directory, open .*Create the folder/,
    ],
    ['leads to itself', () => (symlinkSync(file, file), file), /ELOOP: .*Correct the path/],
    [
      'is longer than the system allows',
      () => join(folder, 'x'.repeat(300)),
      /ENAMETOOLONG: .*Correct the path/,
    ],
  ])('is refused if it %s, with the reason and what to do', (_, spoil, says) => {
    const path = spoil();
    expect(() => open(path)).toThrow(says);
    expect(() => open(path)).toThrow(`SQLite ${path} cannot be used: `);
  });

  function regular(): string {
    writeFileSync(join(folder, 'regular'), '');
    return join(folder, 'regular');
  }

  it('needs a file beside it for the lock, and says so if that cannot be opened', async () => {
    mkdirSync(`${file}-service`);
    await expect(open(file).lock()).rejects.toThrow(
      /^SQLite .*pets\.db cannot be used: .*\. Correct the path/,
    );
  });

  it('is none in memory, nor on a server', () => {
    const server = { hosts: [], user: '', password: '', database: 'petstore', tls: false };
    expect(DatabaseFile.open({ engine: 'mysql', ...server })).toBeUndefined();
    expect(DatabaseFile.open({ engine: 'sqlite', file: ':memory:' })).toBeUndefined();
  });
});

const SUFFIXES = ['', '-wal', '-shm', '-service'];

describe('a file that is open', () => {
  let away: string;
  let problem: () => string | undefined;
  beforeEach(() => {
    away = join(folder, 'away');
    for (const suffix of SUFFIXES) writeFileSync(file + suffix, 'here');
    const opened = open(file);
    problem = () => opened.check()?.message;
    expect(problem()).toBeUndefined();
  });

  it('may change', () => {
    writeFileSync(file, 'changed');
    expect(problem()).toBeUndefined();
  });

  it.each(SUFFIXES)('is missed, with pets.db%s, until it is back', (suffix) => {
    renameSync(file + suffix, away);
    expect(problem()).toContain(`${file}${suffix} was deleted or moved while the service has it open.`);
    writeFileSync(file + suffix, 'another');
    expect(problem()).toContain(`${file}${suffix} was replaced while the service has it open.`);
    renameSync(away, file + suffix);
    expect(problem()).toBeUndefined();
  });

  it('is missed when its folder is moved', () => {
    const moved = `${folder}-moved`;
    renameSync(folder, moved);
    expect(problem()).toContain('pets.db was deleted or moved');
    renameSync(moved, folder);
    expect(problem()).toBeUndefined();
  });

  it('is missed when the link that named it leads elsewhere', () => {
    const link = join(folder, 'link');
    symlinkSync(file, link);
    const named = open(link);
    expect(named.check()).toBeUndefined();
    rmSync(link);
    writeFileSync(away, '');
    symlinkSync(away, link);
    expect(named.check()?.what).toContain('link was replaced');
  });

  it('without files beside it has them later', () => {
    for (const suffix of SUFFIXES.slice(1)) rmSync(file + suffix);
    const opened = open(file);
    expect(opened.check()).toBeUndefined();
    writeFileSync(`${file}-wal`, '');
    expect(opened.check()).toBeUndefined();
    rmSync(`${file}-wal`);
    expect(opened.check()?.message).toMatch(
      /-wal was deleted or moved .* Stop the service at once with SIGTERM/,
    );
  });
});
