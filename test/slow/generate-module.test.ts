import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addColumnOfPets } from '../support/column-of-pets.js';
import { TreeCopy } from '../support/processes/tree-copy.js';

/**
 * With and without status, PATCH, DELETE and events, standalone, belonging to another module and as a part of one, each field
 * type as optional and as required.
 */
const MODULES: readonly (readonly [folder: string, entity: string, options: string])[] = [
  ['shelters', 'Shelter', ''],
  ['foster-families', 'FosterFamily', '--patch --events'],
  [
    'vaccinations',
    'Vaccination',
    '--belongs-to pets vaccine:text:255 givenAt:instant dueAt:instant? state:enum(open,done,transferred) --patch --delete --events',
  ],
  [
    'diary-notes',
    'DiaryNote',
    '--status --patch --delete --events --belongs-to shelters body:text:2? weighedAt:instant? grams:int64? mood:enum(calm,wild)? isUrgent:boolean? minutes:integer:15:240?',
  ],
  ['weighings', 'Weighing', '--belongs-to diary-notes grams:int64 isFasting:boolean scale:enum(floor) --delete'],
  ['scales', 'Scale', '--into weighings name:text:20 load:integer:-5:300 --events'],
  ['flags', 'Flag', 'isSet:boolean? --status'],
];

/** A module that a team has changed after generation; its files have the same paths as in the tree. */
const EXAMPLE = 'examples/vaccinations';
const filesOfExample = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(EXAMPLE, join(entry.parentPath, entry.name)))
  .toSorted();
/** Files that its rules have changed; all others are as the generator writes them. */
const CHANGED = [
  'docs/modules/vaccinations.md',
  'src/vaccinations/adapters/http/vaccination.dto.ts',
  'src/vaccinations/adapters/http/vaccinations.operations.ts',
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
  'test/support/vaccination-builder.ts',
  'test/unit/vaccinations/new-vaccination.test.ts',
  'test/unit/vaccinations/reminders.test.ts',
  'test/unit/vaccinations/vaccination.test.ts',
  'test/unit/vaccinations/vaccinations.test.ts',
];

/** A third of the time, for tests of servers, files and sockets that no module can touch. They run in the tree itself. */
const OF_NO_MODULE = [
  'test/e2e/{http,process}/**',
  'test/e2e/database/{changed-file,database-faults,evolving-tables,full-disk,hosts,server-settings,slow-database}.test.ts',
];

/** The last module also runs `npm run document`, which takes a minute on a busy machine. */
const ONE = 600_000;
const WHOLE = 1_800_000;

describe('the command that generates a module', () => {
  let copy: TreeCopy;
  // A team also adds columns to existing tables: no test may depend on their number.
  beforeAll(async () => (copy = await TreeCopy.make(addColumnOfPets)));
  afterAll(() => copy.remove());

  const generate = (...args: readonly string[]) =>
    copy.run('npm', ['run', '-s', 'generate:module', '--', ...args]);
  const fileOf = (entity: string) => entity.replaceAll(/(?!^)[A-Z]/g, '-$&').toLowerCase();

  /** Files of the example as generated, before its changed files are copied over them. */
  const generated = new Map<string, string>();
  const dateless = (text: string) => text.replaceAll(/Vaccinations\d{13}/g, 'Vaccinations');
  const takeExample = () => {
    for (const file of filesOfExample.filter((one) => existsSync(copy.path(one))))
      generated.set(file, dateless(readFileSync(copy.path(file), 'utf8')));
    cpSync(EXAMPLE, copy.path('.'), { recursive: true });
  };

  it.each(MODULES)('writes %s, and says how to go on', { timeout: ONE }, async (folder, entity, options) => {
    const more = options.split(' ').filter(Boolean);
    // The document is written for all modules at once, so only the last one writes it.
    if (folder !== MODULES.at(-1)![0]) more.push('--no-document');
    const { code, output } = await generate(folder, entity, ...more);
    expect(code, output).toBe(0);
    if (folder === 'vaccinations') takeExample();
    const [guide, policy, examples, tests] = output.trimEnd().split('\n').slice(-4);
    expect(guide).toContain('docs/adding-a-module.md');
    expect(policy).toContain(`src/${folder}/domain/new-${fileOf(entity)}.ts`);
    expect(examples).toContain(`test/support/${fileOf(entity)}-builder.ts`);
    expect(tests).toContain(`npx vitest run ${folder} ${fileOf(entity)}`);
  });

  it('touches nothing that others have written, but adds to one list and to what is written by command', () => {
    const own = MODULES.map(([folder]) => `:!src/${folder}`);
    expect(copy.changes('src', ...own)).toEqual(['M src/app.module.ts']);
    const written = copy.changes().filter((change) => change.startsWith('M '));
    // Two of these files describe the settings of the example.
    expect(written).toEqual([
      'M .env.example',
      'M client/src/api-types.ts',
      'M docs/api.md',
      'M docs/openapi-3.0.json',
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
    // The example is left out: its date is that of its creation.
    const written = MODULES.filter(([folder]) => folder !== 'vaccinations');
    const stamps = written.map(([folder]) => {
      const migration = copy.path(`src/${folder}/adapters/typeorm/create-${folder}.migration.ts`);
      return Number(/readonly name = '\w+?(\d{13})';/.exec(readFileSync(migration, 'utf8'))?.[1]);
    });
    const outbox = readFileSync('src/platform/events/create-outbox.migration.ts', 'utf8');
    stamps.unshift(Number(/readonly name = '\w+?(\d{13})';/.exec(outbox)?.[1]));
    expect(stamps.every((stamp, i) => i === 0 || stamp > stamps[i - 1]!)).toBe(true);
  });

  it('leaves the tree green: every check and test agrees', { timeout: WHOLE }, async () => {
    const { REQUIRE_SERVERS = '' } = process.env;
    const without = OF_NO_MODULE.flatMap((tests) => ['--exclude', tests]);
    const { code, output } = await copy.run('npm', ['test', '--', ...without], { REQUIRE_SERVERS });
    expect(code, output).toBe(0);
  });
});
