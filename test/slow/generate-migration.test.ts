import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mariaDb, type TestDatabase } from '../support/engines.js';
import type { Ending } from '../support/program.js';
import { TreeCopy } from '../support/processes/tree-copy.js';

describe.skipIf(!mariaDb.installed)('petstore db generate', () => {
  let database: TestDatabase;
  let copy: TreeCopy;
  beforeAll(async () => {
    [database, copy] = await Promise.all([mariaDb.create(), TreeCopy.make()]);
    const optional = `{ name: 'changed_at', nullable: true }`;
    changeSchema(`{ name: 'changed_at' }`, optional);
    addColumn('readonly note?: string;', `note: columns.text(100, { nullable: true, default: 'none' }),`);
  });
  afterAll(async () => {
    await copy.remove();
    await database.drop();
  });
  const changeSchema = (before: string, after: string) => {
    const schema = copy.path('src/pets/adapters/typeorm/import.schema.ts');
    const text = readFileSync(schema, 'utf8');
    expect(text).toContain(before);
    writeFileSync(schema, text.replace(before, after));
  };
  const addColumn = (property: string, column: string) => {
    changeSchema('  readonly changedAt: number;', `  ${property}\n  readonly changedAt: number;`);
    changeSchema('    changedAt: columns', `    ${column}\n    changedAt: columns`);
  };
  /** Builds once, and runs the commands in one process. */
  const run = async (...commands: (readonly [url: string, ...args: string[]])[]) => {
    const built = await copy.run('npm', ['run', '-s', 'build']);
    expect(built.code, built.output).toBe(0);
    const asked = JSON.stringify(commands.map(([url, ...args]) => ({ url, args })));
    const { code, output } = await copy.run('node', ['test/support/processes/commands.mjs', asked]);
    expect(code, output).toBe(0);
    const endings = output.trimEnd().split('\n');
    return endings.map((line) => JSON.parse(line) as Pick<Ending, 'code' | 'output' | 'stdout'>);
  };

  it('writes the next migration of the module, for both engines', { timeout: 240_000 }, async () => {
    const path = join(copy.temporary, 'petstore.db');
    const sqlite = `sqlite:${path}`;
    const urls = [sqlite, database.url];
    const onBoth = (...args: string[]) => urls.map((url) => [url, ...args] as const);

    const [wrongEngine, tooEarly, ...before] = await run(
      [sqlite, 'db', 'generate', 'add-note'],
      [database.url, 'db', 'generate', 'add-note'],
      ...onBoth('db', 'migrate'),
      ...onBoth('db', 'diff'),
      [database.url, 'db', 'generate', 'add-note'],
    );
    expect(wrongEngine!.output).toContain('DATABASE_URL must name');
    expect(tooEarly!.output).toContain('lacks migrations');
    expect(before.map(({ code }) => code)).toEqual([0, 0, 1, 1, 0]);
    expect(before.at(-1)!.output).toBe(
      [
        'wrote src/pets/adapters/typeorm/add-note.migration.ts',
        'wrote src/pets/pets.module.ts',
        'next: npm run format && npm run build && npm run -s petstore -- db migrate\n',
      ].join('\n'),
    );
    const written = () =>
      before
        .at(-1)!
        .output.match(/(?<=wrote ).*/g)!
        .map((file) => readFileSync(copy.path(file), 'utf8'));
    const [migration, module] = written();
    const formatted = await copy.run('npm', ['run', '-s', 'format']);
    expect(formatted.code, formatted.output).toBe(0);
    expect(written()).toEqual([migration, module]);
    // One change that SQLite makes in place, and one for which TypeORM copies the table.
    expect(migration).toContain(`'ALTER TABLE "imports" ADD COLUMN "note"`);
    expect(migration!.match(/STRICT, WITHOUT ROWID/g)).toHaveLength(2);

    const file = new SqliteFile(path);
    file.exec("INSERT INTO imports VALUES ('0', 'animals.csv', 1, 1, 0, 1, 1)");
    file.close();
    const after = await run(
      ...onBoth('db', 'migrate'),
      ...onBoth('db', 'diff'),
      [database.url, 'db', 'generate', 'again'],
      ...onBoth('db', 'revert', '--yes'),
      ...onBoth('db', 'diff'),
    );
    const [applied, applied2, diff, diff2, again, reverted, reverted2, lacking, lacking2] = after;
    for (const { output } of [applied!, applied2!]) expect(output).toMatch(/^applied AddNote\d{13}\n$/);
    for (const { output } of [diff!, diff2!]) expect(output).toBe('no difference\n');
    expect(again!.output).toContain('nothing to write');
    expect(reverted!.output).toMatch(/a value in 1 row\n[^]*^reverted AddNote/m);
    expect(reverted2!.output).toMatch(/a value in 0 rows\n[^]*^reverted AddNote/m);
    expect([lacking!.code, lacking2!.code]).toEqual([1, 1]);
  });

  it('warns of a column that existing rows have no value for', { timeout: 120_000 }, async () => {
    addColumn('readonly author: string;', 'author: columns.text(100),');
    const [, generated] = await run(
      [database.url, 'db', 'migrate'],
      [database.url, 'db', 'generate', 'add-author', '--json'],
    );
    const sentence = 'author of imports is NOT NULL without a default: existing rows need a value';
    expect(generated!.output).toContain(`warning: ${sentence}\n`);
    const { files } = JSON.parse(generated!.stdout) as { files: string[] };
    expect(readFileSync(copy.path(files[0]!), 'utf8')).toContain(` * ${sentence}.\n */`);
  });
});
