import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mariaDb, type TestDatabase } from '../support/engines.js';
import { TreeCopy } from '../support/tree-copy.js';

describe.skipIf(!mariaDb.installed)('petstore db generate', () => {
  let database: TestDatabase;
  let copy: TreeCopy;
  beforeAll(async () => {
    [database, copy] = await Promise.all([mariaDb.create(), TreeCopy.make()]);
    const schema = copy.path('src/pets/adapters/typeorm/import.schema.ts');
    const text = readFileSync(schema, 'utf8')
      .replace(
        '  readonly changedAt: number;\n',
        '  readonly changedAt: number;\n  readonly note?: string;\n',
      )
      .replace(
        `changedAt: columns.number({ name: 'changed_at' }),`,
        `changedAt: columns.number({ name: 'changed_at' }), note: columns.text(100, { nullable: true, default: 'none' }),`,
      );
    writeFileSync(schema, text);
  });
  afterAll(async () => {
    await copy.remove();
    await database.drop();
  });
  const run = (url: string, ...args: string[]) =>
    copy.run('node', ['dist/cli.js', ...args], { DATABASE_URL: url });

  it('writes the next migration of the module, for both engines', { timeout: 240_000 }, async () => {
    const sqlite = `sqlite:${copy.path('tmp/petstore.db')}`;
    const built = await copy.run('npm', ['run', '-s', 'build']);
    expect(built.code, built.output).toBe(0);
    expect((await run(sqlite, 'db', 'generate', 'add-note')).output).toContain('DATABASE_URL must name');
    expect((await run(database.url, 'db', 'generate', 'add-note')).output).toContain('lacks migrations');
    for (const url of [sqlite, database.url]) {
      expect((await run(url, 'db', 'migrate')).code).toBe(0);
      expect((await run(url, 'db', 'diff')).code).toBe(1);
    }
    const { code, output } = await run(database.url, 'db', 'generate', 'add-note');
    expect([code, output]).toEqual([
      0,
      'wrote src/pets/adapters/typeorm/add-note.migration.ts\nwrote src/pets/pets.module.ts\n',
    ]);
    await copy.run('npm', ['run', '-s', 'build']);
    for (const url of [sqlite, database.url]) {
      const applied = await run(url, 'db', 'migrate');
      expect(applied.output).toMatch(/^applied AddNote\d{13}\n$/);
      expect((await run(url, 'db', 'diff')).output).toBe('no difference\n');
    }
    expect((await run(database.url, 'db', 'generate', 'again')).output).toContain('nothing to write');
    for (const url of [sqlite, database.url]) {
      expect((await run(url, 'db', 'revert')).output).toMatch(/^reverted AddNote/);
      expect((await run(url, 'db', 'diff')).code).toBe(1);
    }
    const migration = readFileSync(copy.path('src/pets/adapters/typeorm/add-note.migration.ts'), 'utf8');
    expect(migration).toContain('STRICT, WITHOUT ROWID');
  });
});
