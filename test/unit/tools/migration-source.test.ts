import { runInNewContext } from 'node:vm';
import * as prettier from 'prettier';
import { describe, expect, it } from 'vitest';
import {
  migrationSource,
  unfilledColumns,
  withMigration,
} from '../../../tools/migration/migration-source.js';

async function formatted(text: string) {
  const style = await prettier.resolveConfig('src/zoo.ts');
  return prettier.format(text, { ...style, parser: 'typescript' });
}

const module = (decorators: string, imports = '') => `import { Module } from '@nestjs/common';
${imports}
${decorators}
export class ZooModule {}
`;
const add = (text: string) =>
  withMigration(text, 'add-note', 'add-note.migration.ts', '../platform/database/index.js');
const MANY = Array.from({ length: 6 }, (_, i) => `ChangeAllAnimals${i}`);
const IMPORT = "import { AddNote } from './add-note.migration.js';\n";

describe('the decorator @Migrations', () => {
  it.each([
    ['has migrations', '@Migrations(One, Two)', '@Migrations(One, Two, AddNote)'],
    [
      'has more migrations than fit in a line',
      `@Migrations(${MANY.join(', ')})`,
      `@Migrations(\n${[...MANY, 'AddNote'].map((name) => `  ${name},\n`).join('')})`,
    ],
    ['has none yet', '@Migrations()', '@Migrations(AddNote)'],
  ])('lists one more migration if the module %s', (_, before, after) => {
    expect(add(module(`${before}\n@Module({})`))).toBe(module(`${after}\n@Module({})`, IMPORT));
  });

  it('is added with the first migration', () => {
    const decorator = "import { Migrations } from '../platform/database/index.js';\n";
    expect(add(module('@Module({\n  imports: [],\n})'))).toBe(
      module('@Migrations(AddNote)\n@Module({\n  imports: [],\n})', `${decorator}${IMPORT}`),
    );
  });

  it('is not added if its place is not found', () => {
    expect(add(module('@ZooWide({})'))).toBeUndefined();
  });
});

const LONG = `CREATE TABLE "zoos" ("id" integer PRIMARY KEY NOT NULL, "name" text NOT NULL DEFAULT ('none'), "at" integer)`;
const BARE =
  'ALTER TABLE `zoos` ADD `address` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL';

describe('the text of a migration', () => {
  const sourceOf = (...forwards: string[]) =>
    migrationSource('add-note', 1_795_000_000_000, '../migrations', {
      sqlite: { forwards: forwards.slice(0, 1), backwards: [] },
      mysql: { forwards, backwards: ['DROP'] },
    });

  it.each([
    ['long statements', [LONG, BARE]],
    ['a statement with both kinds of quotes', [`SELECT '"'`, `SELECT "'"`, `SELECT '"', '', ""`]],
    [
      'a statement with backslashes and line breaks',
      [String.raw`SELECT '\\', "\""`, 'SELECT\n\t1', `SELECT '\\"'`],
    ],
    ['a statement that is a character too long for a line', ['D'.repeat(111 - `    sqlite: [''],`.length)]],
  ])('is formatted, with %s, and keeps its meaning', async (_, statements) => {
    const text = sourceOf(...statements);
    expect(text).toBe(await formatted(text));
    const [, literals] = /forwards = \{.*?mysql: (\[.*?\]),\n {2}\};/s.exec(text)!;
    expect(runInNewContext(literals!)).toEqual(statements);
  });

  it('names the columns for which existing rows have no value', async () => {
    const text = sourceOf(BARE, BARE.replace('address', 'city'));
    expect(text).toContain(`
 * address of zoos is NOT NULL without a default, so existing rows need a value.
 * city of zoos is NOT NULL without a default, so existing rows need a value.
 */`);
    expect(text).toBe(await formatted(text));
  });
});

describe('a column for which existing rows have no value', () => {
  const SENTENCE = 'address of zoos is NOT NULL without a default, so existing rows need a value';

  it.each([
    BARE,
    "ALTER TABLE `zoos` ADD `address` enum ('DEFAULT', 'it''s AS') NOT NULL",
    "ALTER TABLE `zoos` ADD `address` int NOT NULL COMMENT 'it\\'s DEFAULT'",
  ])('is added by %s', (statement) => expect(unfilledColumns(['DROP', statement])).toEqual([SENTENCE]));

  it.each([
    'ALTER TABLE `zoos` ADD `address` json NULL',
    "ALTER TABLE `zoos` ADD `address` varchar(40) NOT NULL DEFAULT ''",
    "ALTER TABLE `zoos` ADD `address` int NULL COMMENT 'NOT NULL'",
    'ALTER TABLE `zoos` ADD `address` int NOT NULL AUTO_INCREMENT',
    'ALTER TABLE `zoos` ADD `address` int AS (1) STORED NOT NULL',
    'ALTER TABLE `zoos` ADD UNIQUE INDEX `address` (`address`)',
    'CREATE TABLE `zoos` (`address` int NOT NULL)',
  ])('is not added by %s', (statement) => expect(unfilledColumns([statement])).toEqual([]));
});
