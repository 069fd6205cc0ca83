import { existsSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseFile, DatabaseUnusable } from '../../../support/rooms/database.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'petstore-file-')));
  file = join(folder, 'pets.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (path: string) => DatabaseFile.open({ engine: 'sqlite', file: path })!;

describe('the file of a database', () => {
  it('is created with its folder', () => {
    const deep = join(folder, 'a/b/pets.db');
    expect([open(deep).path, existsSync(deep)]).toEqual([deep, true]);
  });

  it.each<[string, () => string]>([
    ['a relative path', () => `./${relative(process.cwd(), file)}`],
    ['a folder of the system', () => `/proc/self/cwd/${relative(process.cwd(), file)}`],
    ['a link to it', () => linked(file)],
    ['a link to its folder', () => join(linked(folder), 'pets.db')],
  ])('belongs to one service, also if another service names it by %s', async (_, spelling) => {
    const other = spelling();
    // The link leads nowhere yet, and the file is created through the link.
    await open(other).lock();
    expect(open(other).path).toBe(file);
    await expect(open(file).lock()).rejects.toThrow(DatabaseUnusable);
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

  it('must have only one name', () => {
    writeFileSync(file, '');
    linkSync(file, join(folder, 'other.db'));
    expect(() => open(file)).toThrow(
      /pets\.db has several names \(hard links\)\. Name a file .* no other name/,
    );
    expect(() => open(join(folder, 'other.db'))).toThrow('hard links');
    rmSync(join(folder, 'other.db'));
    expect(open(file).path).toBe(file);
  });

  it.each<[string, () => string, RegExp]>([
    ['is a folder', () => folder, /is a folder or device\. Name a file in DATABASE_URL, such as/],
    ['is a device', () => '/dev/null', /^SQLite \/dev\/null .*is a folder or device\. Name a file/],
    [
      'is in a file',
      () => join(regular(), 'pets.db'),
      /ENOTDIR: not a directory, .*regular\/pets\.db.* \(as user \d+\)\. Correct the path/,
    ],
    [
      'leads nowhere',
      () => linked(join(folder, 'none/pets.db')),
      /ENOENT: no such file or directory, open .*Correct the path/,
    ],
    ['leads to itself', () => (symlinkSync(file, file), file), /ELOOP: .*Correct the path/],
  ])('is rejected if it %s, with the reason and the remedy', (_, spoil, says) => {
    const path = spoil();
    expect(() => open(path)).toThrow(says);
    expect(() => open(path)).toThrow(`SQLite ${path} cannot be used: `);
  });

  function regular(): string {
    writeFileSync(join(folder, 'regular'), '');
    return join(folder, 'regular');
  }

  it('needs a file beside it for the lock, and reports if this file cannot be opened', async () => {
    mkdirSync(`${file}-service`);
    await expect(open(file).lock()).rejects.toThrow(
      /^SQLite .*pets\.db cannot be used: .*\. Correct the path/,
    );
  });

  it('does not exist in memory or on a server', () => {
    const server = { hosts: [], user: '', password: '', database: 'petstore', tls: false };
    expect(DatabaseFile.open({ engine: 'mysql', ...server })).toBeUndefined();
    expect(DatabaseFile.open({ engine: 'sqlite', file: ':memory:' })).toBeUndefined();
  });
});
