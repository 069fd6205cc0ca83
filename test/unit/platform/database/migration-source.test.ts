import { describe, expect, it } from 'vitest';
import { withMigration } from '../../../../src/platform/database/migrations/migration-source.js';

const module = (decorators: string, imports = '') => `import { Module } from '@nestjs/common';
${imports}
${decorators}
export class ZooModule {}
`;
const add = (text: string) =>
  withMigration(text, 'add-note', 'add-note.migration.ts', '../platform/database/migrations');
const IMPORT = "import { AddNote } from './add-note.migration.js';\n";

describe('a module that gets a migration', () => {
  it.each([
    ['has some', '@Migrations(One, Two)', '@Migrations(One, Two, AddNote)'],
    ['has some, one on each line', '@Migrations(\n  One,\n  Two,\n)', '@Migrations(One,\n  Two, AddNote)'],
    ['has none yet', '@Migrations()', '@Migrations(AddNote)'],
  ])('that %s', (_, before, after) => {
    expect(add(module(`${before}\n@Module({})`))).toBe(module(`${after}\n@Module({})`, IMPORT));
  });

  it('gets the decorator with the first one', () => {
    const decorator =
      "import { Migrations } from '../platform/database/migrations/migrations.decorator.js';\n";
    expect(add(module('@Module({\n  imports: [],\n})'))).toBe(
      module('@Migrations(AddNote)\n@Module({\n  imports: [],\n})', `${decorator}${IMPORT}`),
    );
  });

  it('is left alone where there is no place for it', () => {
    expect(add(module('@ZooWide({})'))).toBeUndefined();
  });
});
