import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mariaDb, type TestDatabase } from '../support/engines.js';
import type { Ending } from '../support/program.js';
import { TreeCopy } from '../support/processes/tree-copy.js';

/** Calls the compiled tool once for each list of arguments that it rejects. Prints its messages, one in each line. */
const REFUSALS = `
  import { generate } from './tools/dist/tools/migration/generate.js';
  for (const [words, url] of JSON.parse(process.argv[1]))
    await generate(...words.split(' '), { DATABASE_URL: url }).then(console.log, ({ message }) => console.log(message));
`;
const SCHEMA = 'src/pet-files/adapters/typeorm/typeorm-import-ledger.ts';
const NOTHING = 'do not differ from its migrations, so there is nothing to write.';

// The tests change one tree, and each test continues with the result of the test before.
describe.skipIf(!mariaDb.installed)(
  'npm run migration:generate',
  { shuffle: false, timeout: 240_000 },
  () => {
    let database: TestDatabase;
    let copy: TreeCopy;
    beforeAll(async () => {
      [database, copy] = await Promise.all([mariaDb.create(), TreeCopy.make()]);
    });
    afterAll(async () => {
      await copy.remove();
      await database.drop();
    });

    const changeSchema = (before: string, after: string) => {
      const text = readFileSync(copy.path(SCHEMA), 'utf8');
      expect(text).toContain(before);
      writeFileSync(copy.path(SCHEMA), text.replace(before, after));
    };
    const addColumn = (property: string, column: string) => {
      changeSchema('  readonly changedAt: number;', `  ${property}\n  readonly changedAt: number;`);
      changeSchema('    changedAt: columns', `    ${column}\n    changedAt: columns`);
    };
    const npm = (...args: string[]) =>
      copy.run('npm', ['run', '-s', ...args], { DATABASE_URL: database.url });
    const generate = (...args: string[]) => npm('migration:generate', '--', ...args);
    const check = () => npm('migration:check');
    const refusals = async (...asked: string[]) => {
      const json = JSON.stringify(asked.map((words) => [words, database.url]));
      const { code, output } = await copy.run('node', ['--input-type=module', '-e', REFUSALS, json]);
      expect(code, output).toBe(0);
      return output.trimEnd().split('\n');
    };

    it('rejects wrong arguments in one sentence, and writes nothing', async () => {
      expect(await check()).toEqual({ code: 0, output: 'no difference\n' });
      const said = await refusals(
        'pets add-note',
        'shop add-note',
        'pets ../note',
        'pet-files create-imports',
      );
      expect(said).toEqual([
        `The schemas of pets ${NOTHING}`,
        expect.stringMatching(
          /^No module shop has tables\. The modules with tables are access, .*pets, .*store\.$/,
        ),
        'Name the migration in lower case with hyphens, such as add-birthday, not ../note.',
        'src/pet-files/adapters/typeorm/create-imports.migration.ts exists. Give this migration another name.',
      ]);
      const { code, output } = await generate('pets');
      expect([code, output]).toEqual([
        2,
        expect.stringMatching(
          /^error: missing required argument 'name'\n\nUsage: npm run migration:generate /,
        ),
      ]);
      expect(copy.changes()).toEqual([]);
    });

    it('names, like migration:check, the module that needs a migration, and writes nothing for another module', async () => {
      changeSchema(`{ name: 'changed_at' }`, `{ name: 'changed_at', nullable: true }`);
      addColumn('readonly note?: string;', `note: columns.text(100, { nullable: true, default: 'none' }),`);
      const lacking = await check();
      expect(lacking.code).toBe(1);
      expect(lacking.output).toMatch(
        /^-- SQLite\n[^]*"imports"[^]*^-- MySQL\nALTER TABLE `imports` [^]*;\nThe migr/m,
      );
      expect(await refusals('store add-note')).toEqual([
        `The schemas of store ${NOTHING} The modules that differ are pet-files.`,
      ]);
      expect(copy.changes()).toEqual([`M ${SCHEMA}`]);
    });

    it('writes the next migration of the module, for both engines', async () => {
      const { code, output } = await generate('pet-files', 'add-note');
      expect([code, output]).toEqual([
        0,
        [
          'wrote src/pet-files/adapters/typeorm/add-note.migration.ts',
          'wrote src/pet-files/pet-files.module.ts',
          'next: read it, then npm run format && npm run migration:check\n',
        ].join('\n'),
      ]);
      const written = () =>
        output.match(/(?<=wrote ).*/g)!.map((file) => readFileSync(copy.path(file), 'utf8'));
      const [migration, module] = written();
      const formatted = await copy.run('npm', ['run', '-s', 'format']);
      expect(formatted.code, formatted.output).toBe(0);
      expect(written()).toEqual([migration, module]);
      // One change that SQLite makes in place, and one for which TypeORM copies the table.
      expect(migration).toContain(`'ALTER TABLE "imports" ADD COLUMN "note"`);
      expect(migration!.match(/STRICT, WITHOUT ROWID/g)).toHaveLength(2);
    });

    it('writes a migration that can be applied to rows, and reverted', async () => {
      expect(await check()).toEqual({ code: 0, output: 'no difference\n' });
      const path = join(copy.temporary, 'petstore.db');
      const built = await copy.run('npm', ['run', '-s', 'build']);
      expect(built.code, built.output).toBe(0);
      /** Runs commands of the service in one process, on both databases. */
      const onBoth = async (...commands: string[]) => {
        const asked = [`sqlite:${path}`, database.url].flatMap((url) =>
          commands.map((command) => ({ url, args: command.split(' ') })),
        );
        const runner = 'test/support/processes/commands.mjs';
        const { code, output } = await copy.run('node', [runner, JSON.stringify(asked)]);
        expect(code, output).toBe(0);
        return output
          .trimEnd()
          .split('\n')
          .map((line) => (JSON.parse(line) as Pick<Ending, 'output'>).output);
      };
      await onBoth('db migrate', 'db revert --yes');
      const row = "INSERT INTO imports VALUES ('0', 'animals', 1, 1, 0, 1, 1, NULL)";
      const file = new SqliteFile(path);
      file.exec(row);
      file.close();
      await database.execute(row);
      const said = await onBoth('db migrate', 'db revert --yes', 'db status');
      for (const [applied, reverted, states] of [said.slice(0, 3), said.slice(3)]) {
        expect(applied).toMatch(/^applied AddNote\d{13}\n$/);
        expect(reverted).toMatch(/^reverted AddNote\d{13}$/m);
        expect(states).toMatch(/^missing {2}AddNote\d{13}$/m);
      }
      expect(await database.query('SELECT name FROM imports')).toHaveLength(1);
    });

    it('lists what it would drop, and writes the migration only after --confirm', async () => {
      changeSchema('  readonly note?: string;\n', '');
      changeSchema(`    note: columns.text(100, { nullable: true, default: 'none' }),\n`, '');
      const refused = await generate('pet-files', 'drop-note');
      expect([refused.code, refused.output.trimEnd().split('\n')]).toEqual([
        1,
        [
          'note of imports is dropped, with what is in it.',
          expect.stringMatching(/^To rename a column, write a migration that changes nothing else/),
          'If you want this, repeat the command with --confirm.',
        ],
      ]);
      const target = copy.path('src/pet-files/adapters/typeorm/drop-note.migration.ts');
      expect(existsSync(target)).toBe(false);
      const { code, output } = await generate('pet-files', 'drop-note', '--confirm');
      expect(code, output).toBe(0);
      expect(readFileSync(target, 'utf8')).toContain('DROP COLUMN');
    });
  },
);
