import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addColumnOfPets } from '../support/column-of-pets.js';
import type { Ending } from '../support/program.js';
import { TreeCopy } from '../support/processes/tree-copy.js';

/**
 * With and without status, PATCH, DELETE and events, standalone, belonging to another module and as a part of one, each field
 * type as optional and as required, and as given by the service.
 */
const MODULES: readonly (readonly [folder: string, entity: string, options: string])[] = [
  ['shelters', 'Shelter', ''],
  [
    'foster-families',
    'FosterFamily',
    'name:text:255 kind:enum(near-by,far):fixed since:day:fixed? visitedAt:instant:given? score:integer:0:9:given --patch --events',
  ],
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
  // Samples of the tests are also called appointments and kennels.
  ['walks', 'Walk', '--belongs-to diary-notes grams:int64 isFasting:boolean scale:enum(floor) --delete'],
  ['appointments', 'Appointment', '--into walks name:text:20 tare:integer:-5:300 --events'],
  ['groomings', 'Grooming', 'groomerId:int64 startsAt:instant minutes:integer:15:240'],
  ['groomers', 'Groomer', '--into groomings name:text:80'],
  ['webhooks', 'Receiver', 'url:text:500 secret:text:80:given? --delete'],
  [
    'boarding',
    'Stay',
    'price:decimal:10:2 deposit:decimal:5:2? from:day to:day? extras:words(walk,bath) treats:words(fish)? currency:enum(EUR,USD) order:int64? size:enum(s,m) --patch --delete --events',
  ],
  ['homes', 'Home', '--into shelters address:text:40'],
  [
    'kennels',
    'Kennel',
    '--into boarding isSet:boolean? openedAt:instant:given checkedOn:day:given fee:decimal:6:2:given state:enum(under-way,done):given note:text:40:given? count:int64:given isFull:boolean:given tags:words(a-b,c):given --status',
  ],
];
const PLURALS: Readonly<Record<string, string>> = { boarding: 'stays', webhooks: 'receivers' };
const pluralOf = (folder: string) => PLURALS[folder] ?? folder;

/** Modules that teams have changed after generation: the changed files, which have the same paths as in the tree, by the last entity. */
const EXAMPLES: Readonly<Record<string, string>> = {
  vaccinations: 'examples/vaccinations',
  groomers: 'examples/groomings',
  webhooks: 'examples/webhooks',
};
const filesOf = (example: string) =>
  readdirSync(example, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(example, join(entry.parentPath, entry.name)));

/** The tests that cover every module, or the column of pets. The other tests run in the tree itself. */
const OF_EVERY_MODULE = [
  'test/architecture',
  'test/fuzz',
  'test/unit/pet-files',
  'test/contract/pet-repository.test.ts',
  'test/e2e/document',
  'test/e2e/access/authentication.test.ts',
  'test/e2e/access/secrets.test.ts',
  'test/e2e/database/migration-check.test.ts',
  'test/e2e/database/earlier-versions.test.ts',
  'test/e2e/database/server-settings.test.ts',
  'test/e2e/lists/first-requests.test.ts',
  'test/e2e/lists/plans.test.ts',
  'test/client/types.test.ts',
  'test/unit/mcp',
];

/** The last module also runs `npm run document`, which takes a minute on a busy machine. */
const ONE = 600_000;
const WHOLE = 1_800_000;

/** Options for vitest, because other tests run beside these: no more processes than cores, and long time limits. */
const BESIDE_OTHERS = ['--maxWorkers=100%', `--testTimeout=${ONE}`];

describe('the command that generates a module', () => {
  let copy: TreeCopy;
  // A team also adds columns to existing tables: no test may depend on their number.
  beforeAll(async () => (copy = await TreeCopy.make(addColumnOfPets)));
  afterAll(() => copy.remove());

  const generate = (...args: readonly string[]) =>
    copy.run('npm', ['run', '-s', 'generate:module', '--', ...args]);
  const fileOf = (entity: string) => entity.replaceAll(/(?!^)[A-Z]/g, '-$&').toLowerCase();

  /** Files of the examples that equal the generated files. */
  const unchanged: string[] = [];
  const takeExample = (example: string) => {
    const text = (file: string) => readFileSync(file, 'utf8').replaceAll(/Create[A-Z]\w*\d{13}/g, '');
    for (const file of filesOf(example).filter((one) => existsSync(copy.path(one))))
      if (text(join(example, file)) === text(copy.path(file))) unchanged.push(file);
    cpSync(example, copy.path('.'), { recursive: true });
  };

  /** Moves the path of an entity below the path of its module, as docs/adding-a-module.md says. */
  const moveHomes = async () => {
    const edit = (file: string, from: RegExp, to: string) => {
      const before = readFileSync(copy.path(file), 'utf8');
      const after = before.replaceAll(from, to);
      expect(after, file).not.toBe(before);
      writeFileSync(copy.path(file), after);
    };
    edit('src/shelters/adapters/http/homes.controller.ts', /'homes'\)\nexport/g, `'shelters/homes')\nexport`);
    edit(
      'src/shelters/shelters.module.ts',
      /\[SheltersController, HomesController\]/g,
      '[HomesController, SheltersController]',
    );
    for (const file of ['test/e2e/homes.test.ts', 'docs/modules/homes.md'])
      edit(file, /(?<=[ `1L])\/homes/g, '/shelters/homes');
    const { code, output } = await copy.run('npx', ['prettier', '--write', 'docs/modules/homes.md']);
    expect(code, output).toBe(0);
  };

  it.each(MODULES)(
    'writes %s, and says what to do next',
    { timeout: ONE },
    async (folder, entity, options) => {
      const more = options.split(' ').filter(Boolean);
      // The document is written for all modules at once, so only the last one writes it.
      if (folder !== MODULES.at(-1)![0]) more.push('--no-document');
      const { code, output } = await generate(folder, entity, ...more);
      expect(code, output).toBe(0);
      const example = EXAMPLES[folder];
      if (example !== undefined) takeExample(example);
      if (folder === 'homes') await moveHomes();
      const [tutorial, recipes, policy, examples, tests] = output.trimEnd().split('\n').slice(-5);
      const isLater = `npm run document, without which test/e2e/${pluralOf(folder)}.test.ts fails`;
      expect(output.includes(isLater)).toBe(more.includes('--no-document'));
      expect(output.includes(`create in src/`)).toBe(/(?<!text:\d+):given(?!\?)/.test(options));
      expect(tutorial).toContain('docs/adding-a-module.md');
      expect(recipes).toContain('docs/module-recipes.md');
      expect(policy).toContain(`/domain/new-${fileOf(entity)}.ts`);
      expect(examples).toContain(`test/support/${fileOf(entity)}-builder.ts`);
      expect(tests).toContain(`npx vitest run ${pluralOf(folder)} ${fileOf(entity)}`);
    },
  );

  it('changes no existing file, except one list and the generated files', () => {
    const own = MODULES.map(([folder]) => `:!src/${folder}`);
    expect(copy.changes('src', ...own)).toEqual(['M src/app.module.ts']);
    const written = copy.changes().filter((change) => change.startsWith('M '));
    // .env.example describes the settings of the example.
    expect(written).toEqual([
      'M .env.example',
      'M client/src/api-types.ts',
      'M docs/api.md',
      'M docs/openapi-3.0.json',
      'M docs/openapi.json',
      'M src/app.module.ts',
    ]);
    expect(copy.linesLost('src/app.module.ts')).toBe(0);
  });

  it('writes no file that the examples contain unchanged', () => {
    expect(unchanged).toEqual([]);
  });

  it('dates the migration of each module after all existing migrations', () => {
    // The examples are left out, because they keep the dates of their creation.
    const ofExamples = ['vaccinations', 'groomings', 'groomers', 'webhooks'];
    const written = MODULES.filter(([folder]) => !ofExamples.includes(folder));
    const stamps = written.map(([folder, , options]) => {
      const [, home = folder] = /--into (\w+)/.exec(options) ?? [];
      const migration = copy.path(`src/${home}/adapters/typeorm/create-${pluralOf(folder)}.migration.ts`);
      return Number(/readonly name = '\w+?(\d{13})';/.exec(readFileSync(migration, 'utf8'))?.[1]);
    });
    const outbox = readFileSync('src/platform/events/create-outbox.migration.ts', 'utf8');
    stamps.unshift(Number(/readonly name = '\w+?(\d{13})';/.exec(outbox)?.[1]));
    expect(stamps.every((stamp, i) => i === 0 || stamp > stamps[i - 1]!)).toBe(true);
  });

  it('leaves a tree in which all checks and all tests of modules pass', { timeout: WHOLE }, async () => {
    const { REQUIRE_SERVERS = '' } = process.env;
    const own = copy.changes('test').flatMap((change) => /test\/\S+\.test\.ts$/.exec(change) ?? []);
    expect(own.length).toBeGreaterThan(3 * MODULES.length);
    expect(OF_EVERY_MODULE.filter((path) => !existsSync(path))).toEqual([]);
    // A run with named files leaves these out.
    const checks = ['lint', 'types'].map((script) => copy.run('npm', ['run', '-s', script]));
    for (const { code, output } of await Promise.all(checks)) expect(code, output).toBe(0);
    // The column of pets changes their statements, as `npm run canvas` would write them.
    const env = { REQUIRE_SERVERS, CANVAS: 'write' };
    const tests = [...own, ...OF_EVERY_MODULE];
    const { code, output } = await copy.run('npm', ['test', '--', ...tests, ...BESIDE_OTHERS], env);
    expect(code, output).toBe(0);
  });

  it('adds a column of pets that is exported without formulas, and imported again', async () => {
    const file = (name: string) => join(copy.temporary, name);
    const pet = { name: '=1+1', categoryId: 7, status: 'sold', nickname: '=2+2' };
    writeFileSync(file('first.ndjson'), `${JSON.stringify(pet)}\n`);
    /** What the last of these commands prints, on a new database. The earlier run has built the service. */
    const last = async (database: string, ...commands: string[]) => {
      const asked = commands.map((command) => ({
        url: `sqlite:${file(database)}`,
        args: command.split(' '),
      }));
      const runner = 'test/support/processes/commands.mjs';
      const { code, output } = await copy.run('node', [runner, JSON.stringify(asked)]);
      expect(code, output).toBe(0);
      const endings = output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Ending);
      expect(new Set(endings.map((ending) => ending.code)), output).toEqual(new Set([0]));
      return endings.at(-1)!.stdout;
    };
    const first = `pets import ${file('first.ndjson')}`;
    const exported = await last('first.db', 'db migrate', first, 'pets export --spreadsheet');
    writeFileSync(file('first.csv'), exported);
    expect(exported.split('\n')[1]).toBe(`"'=1+1",7,sold,"'=2+2"`);
    const second = `pets import ${file('first.csv')}`;
    expect(JSON.parse(await last('second.db', 'db migrate', second, 'pets export --format ndjson'))).toEqual(
      pet,
    );
  });
});
