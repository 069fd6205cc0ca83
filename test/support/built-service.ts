import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Program } from './program.js';

const root = resolve(import.meta.dirname, '../..');
const main = resolve(root, 'dist/main.js');
const listening = resolve(import.meta.dirname, 'processes/listening-service.mjs');
/** The path of a bundled program. */
export const bundled = (program: string): string => resolve(root, 'dist-bundled', `${program}.js`);

/**
 * Builds the programs that are started below, as `npm start` does, unless they are up to date. A test run calls it before the
 * first test: a build removes the files of programs that other tests start meanwhile.
 */
export function build(): void {
  const newest = newestSource();
  if (changedAt(bundled('main')) > newest && changedAt(main) > newest) return;
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'build'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw withoutStack(`src does not compile:\n${stdout}${stderr}`);
  execFileSync(process.execPath, ['test/support/run/bundle.mjs'], { cwd: root });
}

/** The stack of the run says nothing about the source, and hides what the compiler says. */
const withoutStack = (message: string) => Object.assign(new Error(message), { stack: message });

const changedAt = (path: string) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** The latest modification time of the source files, in ms since 1970. */
function newestSource(): number {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const others = ['run/bundle.mjs', 'processes/job-service.mjs'].map((name) => `test/support/${name}`);
  const paths = [
    'src',
    'tsconfig.json',
    'docs/openapi.json',
    ...others,
    ...sources.map((path) => join('src', path)),
  ];
  return Math.max(...paths.map((path) => changedAt(join(root, path))));
}

/** A free port; `serve` keeps deprecated operations available after their sunset date, so that tests pass in later years. */
const DEFAULTS = { PORT: '0', DEPRECATED_OPERATIONS: 'serve' };

/** `node dist/main.js` on a free port: for tests that measure its speed or preload a change of its modules. */
export function startBuilt(environment: Record<string, string>, cwd?: string): Program {
  return Program.start(main, [], { ...DEFAULTS, ...environment }, cwd);
}

/** The same with a module that records the pet events it receives in the table `heard`. */
export function startListening(environment: Record<string, string>, cwd?: string): Program {
  return Program.start(listening, [], { ...DEFAULTS, ...environment }, cwd);
}

/** The bundled `main.js` on a free port; the bundle starts sooner, but its throughput is a tenth lower. */
export function startBundled(environment: Record<string, string>, cwd?: string): Program {
  return Program.start(bundled('main'), [], { ...DEFAULTS, ...environment }, cwd);
}

/** The same with a job that fills the table `done` step by step. */
export function startFilling(environment: Record<string, string>): Program {
  return Program.start(bundled('job-service'), [], { ...DEFAULTS, ...environment });
}

/** The bundled `cli.js` in a separate process; tests that do not need one use `petstore`, at a tenth of the cost. */
export function spawnPetstore(args: string[], environment: Record<string, string>, cwd?: string): Program {
  return Program.start(bundled('cli'), args, environment, cwd);
}
