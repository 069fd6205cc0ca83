import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Program } from './program.js';

const root = resolve(import.meta.dirname, '../..');
export const DIST = resolve(root, 'dist');
const main = join(DIST, 'main.js');
const site = join(DIST, 'site/files.json');
const listening = resolve(import.meta.dirname, 'processes/listening-service.mjs');
const sending = resolve(import.meta.dirname, 'processes/sending-service.mjs');
const hanging = resolve(import.meta.dirname, 'processes/hanging-service.mjs');
export const bundled = (program: string): string => resolve(root, 'dist-bundled', `${program}.js`);

/**
 * Builds the programs that are started below and the pages, as `npm start` does, unless they are up to date. A run with a test that
 * imports this file calls it before the first test, because a build removes the files of programs that other tests start meanwhile.
 */
export const build = (): void => buildFor({ programs: true, pages: true });

/** Builds what the tests of a run need. */
export function buildFor({ programs, pages }: { readonly programs: boolean; readonly pages: boolean }): void {
  if (programs) buildPrograms();
  if (pages) buildPages();
}

function buildPrograms(): void {
  const source = newest('src', 'tsconfig.json', 'test/support/run/bundle.mjs');
  if (changedAt(bundled('main')) > source && changedAt(main) > source) return;
  run(['node_modules/@nestjs/cli/bin/nest.js', 'build'], 'src does not compile');
  run(['test/support/run/bundle.mjs'], 'src cannot be bundled');
}

/** Builds the pages and the OpenAPI document only, which a service that a test starts in its own process reads from `dist`. */
function buildPages(): void {
  const source = newest(
    'docs',
    'CHANGELOG.md',
    'client/README.md',
    'mcp/README.md',
    'mcp/operations.js',
    'tools/openapi',
    'tools/site',
  );
  if (changedAt(site) <= source) run(['tools/site/build.js'], 'The pages of /docs cannot be built');
}

function run(script: readonly string[], failure: string): void {
  const options = { cwd: root, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, script, options);
  if (status !== 0) throw withoutStack(`${failure}:\n${stdout}${stderr}`);
}

/** The stack of the run does not help, and would hide the messages of the compiler. */
const withoutStack = (message: string) => Object.assign(new Error(message), { stack: message });

const changedAt = (path: string) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** The latest modification time of files, and of everything in folders, in ms since 1970. */
function newest(...paths: readonly string[]): number {
  const all = paths.flatMap((path) => {
    const isFolder = statSync(join(root, path)).isDirectory();
    const inside = isFolder ? readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }) : [];
    return [path, ...inside.map((name) => join(path, name))];
  });
  return Math.max(...all.map((path) => changedAt(join(root, path))));
}

/** A free port; `serve` keeps deprecated operations available after their sunset date, so that tests pass in later years. */
const DEFAULTS = { PORT: '0', DEPRECATED_OPERATIONS: 'serve' };

/** `node dist/main.js` on a free port: for tests that measure its speed or preload a change of its modules. */
export function startBuilt(environment: Record<string, string>, cwd?: string): Program {
  return Program.start(main, [], { ...DEFAULTS, ...environment }, cwd);
}

/** The same with a route whose handler never ends, `/hang`. */
export function startHanging(environment: Record<string, string>, cwd?: string): Program {
  return Program.start(hanging, [], { ...DEFAULTS, ...environment }, cwd);
}

/** The same with a module that records the pet events it receives in the table `heard`. */
export function startListening(environment: Record<string, string>, cwd?: string): Program {
  return Program.start(listening, [], { ...DEFAULTS, ...environment }, cwd);
}

/** The same with a module that sends each new pet to `RECEIVER_URL`. */
export function startSending(environment: Record<string, string>, cwd?: string): Program {
  return Program.start(sending, [], { ...DEFAULTS, ...environment }, cwd);
}

/** The bundled `main.js` on a free port; the bundle starts sooner, but its throughput is a tenth lower. */
export function startBundled(environment: Record<string, string>, cwd?: string): Program {
  return Program.start(bundled('main'), [], { ...DEFAULTS, ...environment }, cwd);
}

/** The bundled `cli.js` in a separate process; tests that do not need one use `petstore`, at a tenth of the cost. */
export function spawnPetstore(args: string[], environment: Record<string, string>, cwd?: string): Program {
  return Program.start(bundled('cli'), args, environment, cwd);
}
