import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Program } from './program.js';

const root = resolve(import.meta.dirname, '../..');
const main = resolve(root, 'dist/main.js');
const listening = resolve(import.meta.dirname, 'processes/listening-service.mjs');
/** The path of a program of the bundle. */
export const bundled = (program: string): string => resolve(root, 'dist-bundled', `${program}.js`);

/**
 * Builds what is started below, as `npm start` does, unless that is done. A run of tests does it before the
 * first: a build takes the files away from the programs that other tests start meanwhile.
 */
export function build(): void {
  const newest = newestSource();
  if (changedAt(bundled('main')) > newest && changedAt(main) > newest) return;
  for (const args of [['node_modules/@nestjs/cli/bin/nest.js', 'build'], ['test/support/run/bundle.mjs']]) {
    execFileSync(process.execPath, args, { cwd: root });
  }
}

const changedAt = (path: string) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** The time of the last change of the source files, in ms since 1970. */
function newestSource(): number {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const others = ['run/bundle.mjs', 'processes/job-service.mjs'].map((name) => `test/support/${name}`);
  const paths = ['src', 'tsconfig.json', ...others, ...sources.map((path) => join('src', path))];
  return Math.max(...paths.map((path) => changedAt(join(root, path))));
}

/** A free port; and what is deprecated is served also in years when it has come to its end. */
const DEFAULTS = { PORT: '0', DEPRECATED_OPERATIONS: 'serve' };

/** `node dist/main.js` on a free port: where its speed is measured, or what is preloaded changes its modules. */
export function startBuilt(environment: Record<string, string>, cwd?: string): Program {
  return Program.start(main, [], { ...DEFAULTS, ...environment }, cwd);
}

/** The same with a module that writes down in the table `heard` what it hears of pets. */
export function startListening(environment: Record<string, string>, cwd?: string): Program {
  return Program.start(listening, [], { ...DEFAULTS, ...environment }, cwd);
}

/** `node dist/main.js` on a free port from the bundle, which is there sooner and serves a tenth less. */
export function startBundled(environment: Record<string, string>, cwd?: string): Program {
  return Program.start(bundled('main'), [], { ...DEFAULTS, ...environment }, cwd);
}

/** The same with a job that fills the table `done`, step by step. */
export function startFilling(environment: Record<string, string>): Program {
  return Program.start(bundled('job-service'), [], { ...DEFAULTS, ...environment });
}

/** `node dist/cli.js`, from the bundle, in a process of its own; where that is not what is tested, `petstore` costs a tenth. */
export function spawnPetstore(args: string[], environment: Record<string, string>, cwd?: string): Program {
  return Program.start(bundled('cli'), args, environment, cwd);
}
