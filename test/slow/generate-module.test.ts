import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TreeCopy } from '../support/tree-copy.js';

/** With a status and without, of its own and belonging to others, each type of field as it may be absent and as it may not. */
const MODULES: readonly (readonly [folder: string, entity: string, options: string])[] = [
  ['shelters', 'Shelter', ''],
  ['foster-families', 'FosterFamily', '--no-status'],
  [
    'vaccinations',
    'Vaccination',
    '--belongs-to pets vaccine:text:255 givenAt:instant dueAt:instant? state:enum(open,done,transferred)',
  ],
  [
    'diary-notes',
    'DiaryNote',
    '--status --belongs-to shelters body:text:2? weighedAt:instant? grams:int64? mood:enum(calm,wild)? isUrgent:boolean?',
  ],
  ['weighings', 'Weighing', '--belongs-to diary-notes grams:int64 isFasting:boolean scale:enum(floor)'],
  ['flags', 'Flag', 'isSet:boolean?'],
];

const END_TO_END =
  'commands-as-json cors doctor doctor-of-databases document document-quality docs-pages errors events http metrics ' +
  'plans schema-difference secrets start version-1.0 written-parts';

/** Every shared test that could notice a module; but `traces` looks for packages that are missing, which a copy in a tree is not. */
const SHARED = [
  'test/architecture',
  'test/fuzz',
  ...END_TO_END.split(' ').map((name) => `test/e2e/${name}.test.ts`),
];

/** A module whose generated state a team has changed, file by file as it lies in the tree. */
const EXAMPLE = 'examples/vaccinations';
const filesOfExample = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(EXAMPLE, join(entry.parentPath, entry.name)))
  .toSorted();
/** What its rules took: all other files are as the generator writes them. */
const CHANGED = [
  'docs/modules/vaccinations.md',
  'src/vaccinations/adapters/http/list-vaccinations.query.ts',
  'src/vaccinations/adapters/http/vaccination-errors.doc.ts',
  'src/vaccinations/adapters/http/vaccination.dto.ts',
  'src/vaccinations/adapters/http/vaccinations.controller.ts',
  'src/vaccinations/adapters/schedule/reminder.job.ts',
  'src/vaccinations/adapters/typeorm/add-reminders.migration.ts',
  'src/vaccinations/adapters/typeorm/create-vaccinations.migration.ts',
  'src/vaccinations/adapters/typeorm/typeorm-vaccination-repository.ts',
  'src/vaccinations/adapters/typeorm/vaccination.schema.ts',
  'src/vaccinations/application/reminders.ts',
  'src/vaccinations/application/vaccinations.ts',
  'src/vaccinations/domain/new-vaccination.ts',
  'src/vaccinations/domain/vaccination-errors.ts',
  'src/vaccinations/domain/vaccination-events.ts',
  'src/vaccinations/domain/vaccination.ts',
  'src/vaccinations/index.ts',
  'src/vaccinations/ports/vaccination-repository.ts',
  'src/vaccinations/vaccinations.module.ts',
  'src/vaccinations/vaccinations.settings.ts',
  'test/contract/vaccination-repository.test.ts',
  'test/e2e/vaccination-reminders.test.ts',
  'test/e2e/vaccinations-of-sold-pets.test.ts',
  'test/e2e/vaccinations.test.ts',
  'test/modules/vaccinations.ts',
  'test/support/memory/memory-vaccination-repository.ts',
  'test/unit/vaccinations/new-vaccination.test.ts',
  'test/unit/vaccinations/reminders.test.ts',
  'test/unit/vaccinations/vaccination.test.ts',
  'test/unit/vaccinations/vaccinations.test.ts',
];

/** The last one runs `npm run document` as well, which takes a minute on a busy machine. */
const ONE = 600_000;
const WHOLE = 1_200_000;

describe('the command that generates a module', () => {
  let copy: TreeCopy;
  beforeAll(async () => (copy = await TreeCopy.make()));
  afterAll(() => copy.remove());

  const generate = (...args: readonly string[]) =>
    copy.run('npm', ['run', '-s', 'generate:module', '--', ...args]);
  const fileOf = (entity: string) => entity.replaceAll(/(?!^)[A-Z]/g, '-$&').toLowerCase();

  /** What the generator wrote of the example, before the rules came over it. */
  const generated = new Map<string, string>();
  const dateless = (text: string) => text.replaceAll(/Vaccinations\d{13}/g, 'Vaccinations');
  const takeExample = () => {
    for (const file of filesOfExample.filter((one) => existsSync(copy.path(one))))
      generated.set(file, dateless(readFileSync(copy.path(file), 'utf8')));
    cpSync(EXAMPLE, copy.path('.'), { recursive: true });
  };

  it.each(MODULES)('writes %s, and says how to go on', { timeout: ONE }, async (folder, entity, options) => {
    const more = options.split(' ').filter(Boolean);
    // What it writes of documents, it writes for all.
    if (folder !== MODULES.at(-1)![0]) more.push('--no-document');
    const { code, output } = await generate(folder, entity, ...more);
    expect(code, output).toBe(0);
    if (folder === 'vaccinations') takeExample();
    const [guide, policy, tests] = output.trimEnd().split('\n').slice(-3);
    expect(guide).toContain('docs/adding-a-module.md');
    expect(policy).toContain(`src/${folder}/domain/new-${fileOf(entity)}.ts`);
    expect(tests).toContain(`npx vitest run ${folder} ${fileOf(entity)}`);
  });

  it('does not write one a second time', async () => {
    const before = copy.changes();
    const { code, output } = await generate('shelters', 'Shelter');
    expect([code, output]).toEqual([2, expect.stringContaining('src/shelters is there already')]);
    expect(copy.changes()).toEqual(before);
  });

  it('touches nothing that others have written, but adds to one list and to what is written by command', () => {
    const own = MODULES.map(([folder]) => `:!src/${folder}`);
    expect(copy.changes('src', ...own)).toEqual(['M src/app.module.ts']);
    const written = copy.changes().filter((change) => change.startsWith('M '));
    // The settings of the example are described in two of them.
    expect(written).toEqual([
      'M .env.example',
      'M client/src/api-types.ts',
      'M docs/api.md',
      'M docs/openapi.json',
      'M docs/operations.md',
      'M src/app.module.ts',
    ]);
    expect(copy.linesLost('src/app.module.ts')).toBe(0);
  });

  it('writes what examples/vaccinations shows, but for what its rules took', () => {
    const differs = filesOfExample.filter(
      (file) => generated.get(file) !== dateless(readFileSync(join(EXAMPLE, file), 'utf8')),
    );
    expect(differs).toEqual(CHANGED);
  });

  it('dates the migration of each after all that are there', () => {
    // The example has the date on which it was written.
    const written = MODULES.filter(([folder]) => folder !== 'vaccinations');
    const stamps = written.map(([folder]) => {
      const migration = copy.path(`src/${folder}/adapters/typeorm/create-${folder}.migration.ts`);
      return Number(/readonly name = '\w+?(\d{13})';/.exec(readFileSync(migration, 'utf8'))?.[1]);
    });
    const outbox = readFileSync('src/platform/events/create-outbox.migration.ts', 'utf8');
    stamps.unshift(Number(/readonly name = '\w+?(\d{13})';/.exec(outbox)?.[1]));
    expect(stamps.every((stamp, i) => i === 0 || stamp > stamps[i - 1]!)).toBe(true);
  });

  it('leaves the tree green: it builds, and every check and test agrees', { timeout: WHOLE }, async () => {
    const generatedTests = MODULES.flatMap(([folder, entity]) => [
      `test/contract/${fileOf(entity)}-repository.test.ts`,
      `test/e2e/${folder}.test.ts`,
      ...[`new-${fileOf(entity)}`, fileOf(entity), folder, `${fileOf(entity)}-dto`].map(
        (name) => `test/unit/${folder}/${name}.test.ts`,
      ),
    ]);
    const testsOfExample = filesOfExample.filter((file) => file.endsWith('.test.ts'));
    const own = [...new Set([...generatedTests, ...testsOfExample])];
    const results = copy.path('tmp/results.json');
    // First, for some of the tests run what was built.
    const built = await copy.run('npm', ['run', '-s', 'build']);
    const endings = [
      built,
      await copy.run('npm', ['run', '-s', 'lint']),
      await copy.run('npm', ['run', '-s', 'types']),
      await copy.run('node', ['node_modules/vitest/vitest.mjs', 'run', ...SHARED, ...own], {
        RESULTS_FILE: results,
        REQUIRE_SERVERS: process.env['REQUIRE_SERVERS'] ?? '',
      }),
    ];
    for (const { code, output } of endings) expect(code, output).toBe(0);
    const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as { testResults: { name: string }[] };
    const run = testResults.map(({ name }) => relative(copy.path('.'), name));
    const files = [...own, ...SHARED.filter((name) => name.endsWith('.ts')), 'test/fuzz/document.test.ts'];
    expect(run).toEqual(expect.arrayContaining(files));
  });
});
