import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IFlattenedRuleSet, IRegularForbiddenRuleType } from 'dependency-cruiser';

/**
 * The import rules. The files of each kind have an allow-list: any other import is a violation, and so is a file of no kind.
 * In the patterns `$1` is the module that a file belongs to, so the rules cover new modules without a change, and `$2` the
 * technology of an adapter.
 */
const MODULES = '^src/(?!kernel/|platform/)';
const MODULE = `${MODULES}([^/]+)/`;
const FILE = '[^/]+\\.ts$';

/** Every kind of file, and its location. */
const HOMES = {
  top: '^src/(?:main|cli|command-line|app\\.module|configure-app)\\.ts$',
  kernel: `^src/kernel/${FILE}`,
  platform: '^src/platform/',
  domain: `${MODULE}domain/${FILE}`,
  ports: `${MODULE}ports/${FILE}`,
  application: `${MODULE}application/${FILE}`,
  adapters: `${MODULE}adapters/(http|cli|typeorm|redis|schedule|metrics)/${FILE}`,
  wiring: `${MODULES}(?<module>[^/]+)/\\k<module>\\.module\\.ts$`,
  settings: `${MODULES}(?<owner>[^/]+)/\\k<owner>\\.settings\\.ts$`,
  door: `${MODULE}index\\.ts$`,
};

/** The parts of the module that the importing file belongs to. */
const OWN = {
  module: '^src/$1/',
  domain: '^src/$1/domain/',
  ports: '^src/$1/ports/',
  application: '^src/$1/application/',
  technology: '^src/$1/adapters/$2/',
  settings: '^src/$1/$1\\.settings\\.ts$',
};

/** The rooms of the platform, each above those that it may import. */
const ROOMS = ['json', 'config', 'observability', 'database', 'events', 'http', 'ops'];

const OUTSIDE_PLATFORM = '^src/(?!platform/)';
const NOWHERE = '(?!)';
const platformBut = (folders: string) => `^src/platform/(?!(?:${folders})/)`;
const packages = (names: string) => `(?:^|/)node_modules/(?:${names})/`;
const node = (names: string) => `^(?:${names})$`;

/** Exempts peer dependencies, which are declared: dependency-cruiser also reports an optional one as undeclared. */
const OPTIONAL: IRegularForbiddenRuleType['to']['dependencyTypesNot'] = ['npm-peer'];

interface Rule extends IRegularForbiddenRuleType {
  readonly name: string;
  /** The reason. */
  readonly comment: string;
}

/** The files of one kind may import what is listed and nothing else. */
function allow(name: string, comment: string, files: string, mayImport: string[]): Rule {
  return { name, comment, from: { path: files }, to: { pathNot: mayImport, couldNotResolve: false } };
}

/** What adapters of one technology may use besides code of modules, which `no-adapter-meets-another` covers. */
function allowTools(technology: string, comment: string, mayUse: string[]): Rule {
  const name = `${technology}-adapters-use-only-their-own-tools`;
  return allow(name, comment, `${MODULE}adapters/${technology}/`, [OUTSIDE_PLATFORM, ...mayUse]);
}

const forbidden: Rule[] = [
  allow(
    'the-kernel-imports-nothing',
    'Every domain stands on it, so whatever it needed, every domain would need.',
    HOMES.kernel,
    [HOMES.kernel],
  ),
  allow(
    'a-domain-is-plain-typescript',
    'The rules of the business outlive frameworks and databases, and are tested without them.',
    HOMES.domain,
    [HOMES.kernel, OWN.domain, node('crypto|zlib')],
  ),
  allow(
    'ports-speak-only-of-their-domain',
    'A port that knew more than the words of the domain would be cut to fit one adapter.',
    HOMES.ports,
    [HOMES.kernel, OWN.domain, OWN.ports],
  ),
  allow(
    'use-cases-know-only-ports',
    'A use case that knows an adapter can no longer be run without it; of other modules it knows what their doors show.',
    HOMES.application,
    [HOMES.door, HOMES.kernel, OWN.domain, OWN.ports, OWN.application],
  ),
  {
    name: 'no-adapter-meets-another',
    comment:
      'Adapters can be exchanged one at a time because all they know of a module is its core, or its door.',
    from: { path: HOMES.adapters },
    to: {
      path: OUTSIDE_PLATFORM,
      pathNot: [
        HOMES.door,
        HOMES.kernel,
        OWN.domain,
        OWN.ports,
        OWN.application,
        OWN.settings,
        OWN.technology,
      ],
    },
  },
  allowTools('http', 'A controller that reached the database would go around its use case.', [
    platformBut('database'),
    packages(
      '@nestjs/(?:common|core|platform-express|swagger)|class-transformer|class-validator|express|rxjs',
    ),
    node('http'),
  ]),
  allowTools('cli', 'A command has nobody to answer over HTTP: it prints.', [
    platformBut('http'),
    packages('@nestjs/common|commander|cli-table3|csv-parse'),
    node('os|buffer|crypto|fs|fs/promises|path|stream/promises|zlib'),
  ]),
  allowTools('typeorm', 'What only reads and writes rows needs TypeORM, and no other way to the database.', [
    platformBut('http'),
    packages('typeorm|@nestjs/(?:common|typeorm)'),
  ]),
  allowTools('redis', 'What Redis counts it counts for several replicas; the database it never sees.', [
    platformBut('http|database'),
    packages('@nestjs/(?:common|core)|ioredis|rate-limiter-flexible'),
  ]),
  allowTools('schedule', 'What is due at a time has nobody to answer: it calls a use case and ends.', [
    platformBut('http|database'),
    '^src/platform/database/index\\.ts$',
    packages('@nestjs/(?:common|schedule)'),
  ]),
  allowTools('metrics', 'What counts is told what has happened: it asks nobody, and nothing waits for it.', [
    '^src/platform/observability/index\\.ts$',
    packages('@nestjs/common'),
  ]),
  allow(
    'settings-are-declared-and-no-more',
    'They are read before anything of the module is there, and listed for operators who run none of it.',
    HOMES.settings,
    [HOMES.kernel, OWN.domain, '^src/platform/config/', packages('envalid'), node('fs')],
  ),
  allow(
    'modules-meet-only-at-the-door',
    'What a module does not show at its door it may change without asking anybody.',
    HOMES.wiring,
    [HOMES.kernel, HOMES.platform, HOMES.door, OWN.module, packages('@nestjs/(?:common|core|typeorm)')],
  ),
  {
    name: 'modules-pass-no-door-by',
    comment: 'What a room of the platform, or the kernel, does not show at its door is free to change.',
    from: { path: MODULE },
    to: { path: '^src/(?:kernel|platform/[^/]+)/', pathNot: '^src/(?:kernel|platform/[^/]+)/index\\.ts$' },
  },
  allow(
    'a-door-opens-only-its-own-module',
    'A door that passes on what belongs to others hides who depends on whom.',
    HOMES.door,
    [OWN.module],
  ),
  {
    name: 'platform-knows-no-module',
    comment: 'Modules come and go; what they all stand on must not notice.',
    from: { path: HOMES.platform },
    to: { dependencyTypes: ['local'], pathNot: [HOMES.kernel, HOMES.platform] },
  },
  allow(
    'the-top-level-only-assembles',
    'It puts platform and modules together; whatever it did besides would belong to nobody.',
    HOMES.top,
    [
      HOMES.top,
      HOMES.kernel,
      HOMES.platform,
      HOMES.door,
      packages('@nestjs/(?:common|core)|reflect-metadata|commander'),
    ],
  ),
  ...ROOMS.slice(0, -1).map((room, i) => ({
    name: 'no-room-knows-one-above',
    comment:
      'The rooms of the platform stand above each other, so that each can be read without those above.',
    from: { path: `^src/platform/${room}/` },
    to: { path: `^src/platform/(?:${ROOMS.slice(i + 1).join('|')})/` },
  })),
  {
    name: 'drivers-stay-in-the-database-folder',
    comment: 'One folder knows the drivers, so one folder changes when they do.',
    from: { path: '^src/(?!platform/database/)' },
    to: { path: packages('mysql2|better-sqlite3') },
  },
  {
    name: 'metrics-packages-stay-in-the-metrics-folder',
    comment: 'Whoever has something to count says so on a channel, which costs nothing where nobody counts.',
    from: { path: '^src/(?!platform/observability/metrics/)' },
    to: { path: packages('prom-client') },
  },
  {
    name: 'no-import-goes-round-in-a-circle',
    comment: 'Files in a circle can only be understood, loaded and changed all at once.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-file-is-left-alone',
    comment: 'A file that imports nothing and that nothing imports was forgotten.',
    from: { orphan: true },
    to: {},
  },
  {
    name: 'every-import-leads-somewhere',
    comment: 'What cannot be found cannot be judged by the other rules either.',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'no-package-is-for-development-only',
    comment: 'It is not installed in production.',
    from: { path: '^src/' },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: OPTIONAL },
  },
  {
    name: 'every-package-is-declared',
    comment: 'What another package happens to bring along may be gone with its next release.',
    from: { path: '^src/' },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: OPTIONAL },
  },
];

/** The folders of the modules that the wiring of a module has in its `imports`. */
function importedBy(tree: string, module: string): string[] {
  const file = join(tree, 'src', module, `${module}.module.ts`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [, imports = ''] = /\bimports: \[([^]*?)\]/.exec(text) ?? [];
  return [...text.matchAll(/import \{([^}]+)\} from '\.\.\/([\w-]+)\/index\.js'/g)]
    .filter(([, names]) => names!.match(/\w+Module\b/g)?.some((name) => imports.includes(name)))
    .map(([, , folder]) => folder!);
}

/** A rule for each module of a tree: it declares whom it uses as Nest wants it, in the `imports` of its wiring. */
const declaredUse = (tree: string): Rule[] =>
  readdirSync(join(tree, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['kernel', 'platform'].includes(entry.name))
    .map(({ name }) => ({
      name: 'a-module-uses-only-modules-that-it-imports',
      comment: 'The wiring of a module says whom it depends on; otherwise each file would have to be read.',
      from: { path: `^src/${name}/`, pathNot: HOMES.door },
      to: { path: HOMES.door, pathNot: [name, ...importedBy(tree, name)].map((one) => `^src/${one}/`) },
    }));

/** The rules for the folder `src` of a tree. */
export const rulesFor = (tree: string) =>
  ({
    forbidden: [...forbidden, ...declaredUse(tree)],
    required: [
      {
        name: 'every-file-has-a-home',
        comment:
          'No allow-list holds for a file that lies elsewhere: it is asked for an import that nobody can have. Move it into a folder that docs/architecture.md names.',
        module: { path: '^src/', pathNot: Object.values(HOMES) },
        to: { path: NOWHERE },
      },
    ],
  }) satisfies IFlattenedRuleSet;
