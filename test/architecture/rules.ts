import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IFlattenedRuleSet, IRegularForbiddenRuleType } from 'dependency-cruiser';

/**
 * The import rules. The files of each kind have an allow-list: any other import is a violation, and so is a file of no kind.
 * In the patterns, `$1` is the module of a file and `$2` the technology of an adapter. So the rules cover new modules without
 * a change.
 */
const MODULES = '^src/(?!kernel/|platform/)';
const MODULE = `${MODULES}([^/]+)/`;
const FILE = '[^/]+\\.ts$';

/** Every kind of file, and its location. */
const HOMES = {
  top: '^src/(?:main|service|cli|command-line|app\\.module|configure-app)\\.ts$',
  kernel: `^src/kernel/${FILE}`,
  platform: '^src/platform/',
  domain: `${MODULE}domain/${FILE}`,
  ports: `${MODULE}ports/${FILE}`,
  application: `${MODULE}application/${FILE}`,
  adapters: `${MODULE}adapters/(http|cli|typeorm|redis|schedule|metrics|outbound)/${FILE}`,
  wiring: `${MODULES}(?<module>[^/]+)/\\k<module>\\.module\\.ts$`,
  settings: `${MODULES}(?<owner>[^/]+)/\\k<owner>\\.settings\\.ts$`,
  publicApi: `${MODULE}index\\.ts$`,
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

/** The rooms of the platform, from the bottom. A room may import the rooms below it. */
const ROOMS = ['json', 'config', 'observability', 'database', 'events', 'http', 'ops'];

const SOURCE = '^src/';
const OUTSIDE_PLATFORM = '^src/(?!platform/)';
const NOWHERE = '(?!)';
const platformBut = (folders: string) => `^src/platform/(?!(?:${folders})/)`;
const packages = (names: string) => `(?:^|/)node_modules/(?:${names})/`;
const node = (names: string) => `^(?:${names})$`;

/** Exempts peer dependencies, which are declared: dependency-cruiser also reports an optional one as undeclared. */
const OPTIONAL: IRegularForbiddenRuleType['to']['dependencyTypesNot'] = ['npm-peer'];

interface Rule extends IRegularForbiddenRuleType {
  readonly name: string;
  /** The reason, for each import that the rule rejects. A failed test shows it. */
  readonly comment: string;
}

/** The files of one kind may import what is listed and nothing else. */
function allow(name: string, comment: string, files: string, mayImport: string[]): Rule {
  return { name, comment, from: { path: files }, to: { pathNot: mayImport, couldNotResolve: false } };
}

/** Adapters of one technology may use these packages and rooms. `no-adapter-meets-another` covers their imports from modules. */
function allowTools(technology: string, comment: string, mayUse: string[]): Rule {
  const name = `${technology}-adapters-use-only-their-own-tools`;
  return allow(name, comment, `${MODULE}adapters/${technology}/`, [OUTSIDE_PLATFORM, ...mayUse]);
}

const forbidden: Rule[] = [
  allow(
    'the-kernel-imports-nothing',
    'The kernel imports only its own files. Every domain imports the kernel, so every domain would need what the kernel imports.',
    HOMES.kernel,
    [HOMES.kernel],
  ),
  allow(
    'a-domain-is-plain-typescript',
    'A domain imports only the kernel, its own files, node:crypto and node:zlib. So the rules of the business outlive frameworks and ' +
      'databases, and are tested without them. Put anything else behind a port.',
    HOMES.domain,
    [HOMES.kernel, OWN.domain, node('crypto|zlib')],
  ),
  allow(
    'ports-speak-only-of-their-domain',
    'A port imports only the kernel, its domain and other ports. A port that used more than the words of the domain would fit only one adapter.',
    HOMES.ports,
    [HOMES.kernel, OWN.domain, OWN.ports],
  ),
  allow(
    'use-cases-know-only-ports',
    'A use case imports only the kernel, the core of its module and the index.ts of other modules. It could not run without an adapter or ' +
      'a package that it imports, so put these behind a port.',
    HOMES.application,
    [HOMES.publicApi, HOMES.kernel, OWN.domain, OWN.ports, OWN.application],
  ),
  {
    name: 'no-adapter-meets-another',
    comment:
      'Outside of the platform, an adapter imports only the core and the settings of its module, its own folder and the index.ts of other ' +
      'modules, so it can be replaced alone.',
    from: { path: HOMES.adapters },
    to: {
      path: OUTSIDE_PLATFORM,
      pathNot: [
        HOMES.publicApi,
        HOMES.kernel,
        OWN.domain,
        OWN.ports,
        OWN.application,
        OWN.settings,
        OWN.technology,
      ],
    },
  },
  allowTools(
    'http',
    'These adapters translate between HTTP and use cases. They do not use the database, because they would bypass a use case. They use ' +
      'only packages for HTTP and validation. Add a package for HTTP or validation to this rule.',
    [
      platformBut('database'),
      packages(
        '@nestjs/(?:common|core|platform-express|swagger)|class-transformer|class-validator|express|rxjs',
      ),
      node('http'),
    ],
  ),
  allowTools(
    'cli',
    'A command prints the result of a use case, and does not write HTTP responses. It uses only packages and modules of Node.js for ' +
      'arguments, tables and files. Add another one of these to this rule.',
    [
      platformBut('http'),
      packages('@nestjs/common|commander|cli-table3|csv-parse'),
      node('os|buffer|crypto|fs|fs/promises|path|stream/promises|zlib'),
    ],
  ),
  allowTools(
    'typeorm',
    'These adapters only read and write rows. So they do not use HTTP, and need only the packages of TypeORM.',
    [platformBut('http'), packages('typeorm|@nestjs/(?:common|typeorm)')],
  ),
  allowTools(
    'redis',
    'These adapters count in Redis, for several replicas. So they do not use HTTP or the database, and need only packages for Redis.',
    [platformBut('http|database'), packages('@nestjs/(?:common|core)|ioredis|rate-limiter-flexible')],
  ),
  allowTools(
    'schedule',
    'A job calls a use case, and no request waits for it. So it does not use HTTP, and needs only leases from the room database, and only ' +
      'the package @nestjs/schedule.',
    [
      platformBut('http|database'),
      '^src/platform/database/index\\.ts$',
      packages('@nestjs/(?:common|schedule)'),
    ],
  ),
  allowTools(
    'outbound',
    'These adapters call other systems, which may take long. So they do not use the database, and no transaction waits for them.',
    [
      platformBut('http|database'),
      packages('@nestjs/common'),
      node('buffer|crypto|dns|dns/promises|http|https|net|stream|stream/promises|timers/promises|tls|zlib'),
    ],
  ),
  allowTools(
    'metrics',
    'A metrics adapter only counts what it is called with. So it needs only the room observability.',
    ['^src/platform/observability/index\\.ts$', packages('@nestjs/common')],
  ),
  allow(
    'settings-are-declared-and-no-more',
    'Settings are read before the module exists, and are listed without running the module. So they import only the kernel, the domain ' +
      'of the module, src/platform/config, envalid and node:fs.',
    HOMES.settings,
    [HOMES.kernel, OWN.domain, '^src/platform/config/', packages('envalid'), node('fs')],
  ),
  allow(
    'modules-meet-only-at-their-public-api',
    'A module may change everything that its index.ts does not export, so import from that index.ts. A wiring file only assembles its ' +
      'module, so it needs only the packages of Nest for that. Move other code into an adapter.',
    HOMES.wiring,
    [HOMES.kernel, HOMES.platform, HOMES.publicApi, OWN.module, packages('@nestjs/(?:common|core|typeorm)')],
  ),
  {
    name: 'modules-import-only-public-apis',
    comment:
      'The kernel and the rooms of the platform may change everything that their index.ts does not export. Import from that index.ts.',
    from: { path: MODULE },
    to: { path: '^src/(?:kernel|platform/[^/]+)/', pathNot: '^src/(?:kernel|platform/[^/]+)/index\\.ts$' },
  },
  allow(
    'a-public-api-exports-only-its-own-module',
    'An index.ts exports only files of its own module. If it exported anything else, it would hide which module depends on what.',
    HOMES.publicApi,
    [OWN.module],
  ),
  {
    name: 'platform-knows-no-module',
    comment:
      'The platform imports only itself and the kernel. Adding or removing a module must not change it.',
    from: { path: HOMES.platform },
    to: { dependencyTypes: ['local'], pathNot: [HOMES.kernel, HOMES.platform] },
  },
  allow(
    'the-top-level-only-assembles',
    'These files only assemble the platform and the modules, from the index.ts of each module, with Nest and commander. Move other code ' +
      'into a module or into the platform.',
    HOMES.top,
    [
      HOMES.top,
      HOMES.kernel,
      HOMES.platform,
      HOMES.publicApi,
      packages('@nestjs/(?:common|core)|reflect-metadata|commander'),
    ],
  ),
  ...ROOMS.slice(0, -1).map((room, i) => ({
    name: 'no-room-knows-one-above',
    comment:
      'The rooms of the platform are layers, so that each room can be understood without the rooms above it. Move what both rooms need into ' +
      'the lower one.',
    from: { path: `^src/platform/${room}/` },
    to: { path: `^src/platform/(?:${ROOMS.slice(i + 1).join('|')})/` },
  })),
  {
    name: 'drivers-stay-in-the-database-folder',
    comment: 'Only src/platform/database uses the drivers, so only this folder changes with them.',
    from: { path: '^src/(?!platform/database/)' },
    to: { path: packages('mysql2|better-sqlite3') },
  },
  {
    name: 'metrics-packages-stay-in-the-metrics-folder',
    comment:
      'Other code publishes on a channel (src/platform/observability), which costs nothing if metrics are off.',
    from: { path: '^src/(?!platform/observability/metrics/)' },
    to: { path: packages('prom-client') },
  },
  {
    name: 'only-the-command-line-loads-commands',
    comment:
      'The service needs neither commands nor their packages, and takes less memory without them. Import the file of a command inside ' +
      'the function that you pass to @Commands.',
    from: {
      path: SOURCE,
      pathNot: ['^src/command-line\\.ts$', '/adapters/cli/', '\\.command\\.ts$', '/ops/cli/exit-codes\\.ts$'],
    },
    to: {
      path: [
        '/adapters/cli/',
        '\\.command\\.ts$',
        '/ops/cli/exit-codes\\.ts$',
        packages('commander|cli-table3|csv-parse'),
      ],
      dynamic: false,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'tests-import-a-room-through-one-file',
    comment:
      'A test that imports files inside the rooms http and database fails when they move. Import from the index.ts of the room. What ' +
      'tests use beyond it is exported again in test/support/rooms.',
    from: { path: '^test/(?!support/rooms/)' },
    to: { path: '^src/platform/(?:http|database)/', pathNot: '^src/platform/[^/]+/index\\.ts$' },
  },
  {
    name: 'no-import-goes-round-in-a-circle',
    comment: 'Files that import each other in a circle can only be understood and changed together.',
    from: { path: SOURCE },
    to: { circular: true },
  },
  {
    name: 'no-file-is-left-alone',
    comment: 'A file that imports nothing and that no file imports was forgotten. Delete it, or use it.',
    from: { orphan: true, path: SOURCE },
    to: {},
  },
  {
    name: 'every-import-leads-somewhere',
    comment:
      'The other rules cannot check an import that does not resolve. Correct its path, or install the package.',
    from: { path: SOURCE },
    to: { couldNotResolve: true },
  },
  {
    name: 'no-package-is-for-development-only',
    comment:
      'A development dependency is not installed in production. Move it to dependencies in package.json.',
    from: { path: '^src/' },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: OPTIONAL },
  },
  {
    name: 'every-package-is-declared',
    comment:
      'A package that only another package depends on may disappear with the next release of that other package. Declare it in package.json.',
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

/** A rule for each module of a tree: the `imports` of its wiring list all modules that it uses. */
const declaredUse = (tree: string): Rule[] =>
  readdirSync(join(tree, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['kernel', 'platform'].includes(entry.name))
    .map(({ name }) => ({
      name: 'a-module-uses-only-modules-that-it-imports',
      comment: 'The imports of the wiring list all modules that a module uses. Add the module to them.',
      from: { path: `^src/${name}/`, pathNot: HOMES.publicApi },
      to: { path: HOMES.publicApi, pathNot: [name, ...importedBy(tree, name)].map((one) => `^src/${one}/`) },
    }));

/** The rules for the folders `src` and `test` of a tree. */
export const rulesFor = (tree: string) =>
  ({
    forbidden: [...forbidden, ...declaredUse(tree)],
    required: [
      {
        name: 'every-file-has-a-home',
        comment:
          'No rule covers a file outside of the known folders. Move it into a folder that docs/architecture.md names.',
        module: { path: '^src/', pathNot: Object.values(HOMES) },
        to: { path: NOWHERE },
      },
    ],
  }) satisfies IFlattenedRuleSet;
