import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TreeCopy } from '../support/tree-copy.js';

const PATIENCE = 240_000;

/** One as anybody would think of, and one whose words and plural are not so plain. */
const MODULES = [
  ['shelters', 'Shelter', 'shelter'],
  ['foster-families', 'FosterFamily', 'foster-family'],
] as const;

describe('the command that generates a module', () => {
  let copy: TreeCopy;
  beforeAll(async () => (copy = await TreeCopy.make()));
  afterAll(() => copy.remove());

  const generate = (...names: string[]) => copy.run('npm', ['run', '-s', 'generate:module', '--', ...names]);

  it.each([
    ['no names', [], 'Give two names'],
    ['one name', ['shelters'], 'Give two names'],
    ['three names', ['shelters', 'Shelter', 'Kennel'], 'Give two names'],
    ['a folder with capitals', ['Shelters', 'Shelter'], '"Shelters" is no folder'],
    ['a folder with a path', ['../shelters', 'Shelter'], '"../shelters" is no folder'],
    ['an entity in small letters', ['shelters', 'shelter'], '"shelter" is no entity'],
    ['an entity with hyphens', ['adoption-days', 'Adoption-Day'], '"Adoption-Day" is no entity'],
    ['the name of what is everywhere', ['platform', 'Shelter'], '"platform" is reserved'],
    ['a shape that the API has', ['house-pets', 'Pet'], 'a shape "Pet" already'],
    ['a table that is there', ['api-keys', 'ApiKey'], 'a table "api_keys" already'],
    ['a word of the language', ['classes', 'Class'], '"class" has another meaning'],
    ['a word that is plural and singular', ['sheep', 'Sheep'], 'must differ'],
  ])('refuses %s, says why, and writes nothing', async (_, names, reason) => {
    // Without npm, whose start would take as long as the rest.
    const program = ['node_modules/plop/bin/plop.js', '--plopfile', 'tools/generate-module/plopfile.js'];
    const { code, output } = await copy.run('node', [...program, 'module', ...names]);
    expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
    expect(output).toContain('Nothing was written.');
    expect(copy.changes()).toEqual([]);
  });

  it('writes modules, and says how to go on', { timeout: PATIENCE }, async () => {
    for (const [folder, entity, file] of MODULES) {
      const { code, output } = await generate(folder, entity);
      expect(code, output).toBe(0);
      const [guide, policy, tests] = output.trimEnd().split('\n').slice(-3);
      expect(guide).toContain('docs/adding-a-module.md');
      expect(policy).toContain(`src/${folder}/domain/new-${file}.ts`);
      expect(tests).toContain(`npx vitest run ${folder} ${file}`);
    }
  });

  it('does not write one a second time', async () => {
    const before = copy.changes();
    const { code, output } = await generate('shelters', 'Shelter');
    expect([code, output]).toEqual([1, expect.stringContaining('src/shelters is there already')]);
    expect(copy.changes()).toEqual(before);
  });

  it('touches nothing that others have written, but adds to one list and to the documents', () => {
    const own = MODULES.map(([folder]) => `:!src/${folder}`);
    expect(copy.changes('src', ...own)).toEqual(['M src/app.module.ts']);
    const written = copy.changes().filter((change) => change.startsWith('M '));
    expect(written).toEqual([
      'M client/src/api-types.ts',
      'M docs/api.md',
      'M docs/openapi.json',
      'M src/app.module.ts',
    ]);
    expect(copy.linesLost('src/app.module.ts')).toBe(0);
  });

  it('dates the migration of each after all that are there', () => {
    const stampOf = (migration: string) =>
      Number(/readonly name = '\w+?(\d{13})';/.exec(readFileSync(copy.path(migration), 'utf8'))?.[1]);
    const stamps = [
      'src/platform/events/create-outbox.migration.ts',
      ...MODULES.map(([folder]) => `src/${folder}/adapters/typeorm/create-${folder}.migration.ts`),
    ].map(stampOf);
    expect(stamps.every((stamp, i) => i === 0 || stamp > stamps[i - 1]!)).toBe(true);
  });

  it('leaves the tree green: it builds, and every check and test agrees', { timeout: PATIENCE }, async () => {
    const files = MODULES.flatMap(([folder, , file]) => [
      `test/contract/${file}-repository.test.ts`,
      `test/e2e/${folder}.test.ts`,
      ...[`new-${file}`, file, folder, `${file}-dto`].map((name) => `test/unit/${folder}/${name}.test.ts`),
    ]);
    const whole = ['document', 'document-quality', 'docs-pages', 'secrets'].map(
      (name) => `test/e2e/${name}.test.ts`,
    );
    const results = copy.path('tmp/results.json');
    // First, for one of the tests builds as well.
    const built = await copy.run('npm', ['run', '-s', 'build']);
    const endings = await Promise.all([
      built,
      copy.run('npm', ['run', '-s', 'lint']),
      copy.run('npm', ['run', '-s', 'types']),
      copy.run('node', ['node_modules/vitest/vitest.mjs', 'run', 'test/architecture', ...whole, ...files], {
        RESULTS_FILE: results,
        REQUIRE_SERVERS: process.env['REQUIRE_SERVERS'] ?? '',
      }),
    ]);
    for (const { code, output } of endings) expect(code, output).toBe(0);
    const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as { testResults: { name: string }[] };
    const run = testResults.map(({ name }) => relative(copy.path('.'), name));
    expect(run).toEqual(
      expect.arrayContaining([...files, ...whole, 'test/architecture/error-table.test.ts']),
    );
  });
});
