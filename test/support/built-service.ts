import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Program } from './program.js';

const root = resolve(import.meta.dirname, '../..');
const main = resolve(root, 'dist/main.js');
const listening = resolve(import.meta.dirname, 'listening-service.mjs');
/** The path of a program of the bundle. */
export const bundled = (program: string): string => resolve(root, 'dist-bundled', `${program}.js`);

/**
 * Builds what `startBuilt` and `spawnPetstore` run, as `npm start` does, unless that is done. A run of tests does it before the
 * first: a build takes the files away from the programs that other tests start meanwhile.
 */
export function build(): void {
  const newest = newestSource();
  if (changedAt(bundled('main')) > newest && changedAt(main) > newest) return;
  for (const args of [['node_modules/@nestjs/cli/bin/nest.js', 'build'], ['test/support/bundle.mjs']]) {
    execFileSync(process.execPath, args, { cwd: root });
  }
}

const changedAt = (path: string) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** When a file of the source was last changed, added or removed, in ms since 1970. */
function newestSource(): number {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const others = ['bundle.mjs', 'job-service.mjs', 'listening-service.mjs'].map(
    (name) => `test/support/${name}`,
  );
  const paths = ['src', 'tsconfig.json', ...others, ...sources.map((path) => join('src', path))];
  return Math.max(...paths.map((path) => changedAt(join(root, path))));
}

/** From the bundle; but what is preloaded changes modules of `dist`. */
function start(
  program: string,
  asItIs: string,
  environment: Readonly<Record<string, string>>,
  cwd?: string,
): Program {
  const script = environment['NODE_OPTIONS'] === undefined ? bundled(program) : asItIs;
  return Program.start(script, [], { PORT: '0', ...environment }, cwd);
}

/** `node dist/main.js` on a free port. */
export function startBuilt(environment: Record<string, string>, cwd?: string): Program {
  return start('main', main, environment, cwd);
}

/** The same with a job that fills the table `done`, step by step. */
export function startFilling(environment: Record<string, string>): Program {
  return Program.start(bundled('job-service'), [], { PORT: '0', ...environment });
}

/** The same with a module that writes down in the table `heard` what it hears of pets. */
export function startListening(environment: Record<string, string>, cwd?: string): Program {
  return start('listening-service', listening, environment, cwd);
}

/** `node dist/cli.js`, from the bundle, in a process of its own; where that is not what is tested, `petstore` costs a tenth. */
export function spawnPetstore(args: string[], environment: Record<string, string>, cwd?: string): Program {
  return Program.start(bundled('cli'), args, environment, cwd);
}
