import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { Program } from './program.js';

const root = resolve(import.meta.dirname, '../..');
const main = resolve(root, 'dist/main.js');
const cli = resolve(root, 'dist/cli.js');

/** Builds what `startBuilt` and `petstore` run, as `npm start` does. */
export function build(): void {
  execFileSync(process.execPath, [resolve(root, 'node_modules/@nestjs/cli/bin/nest.js'), 'build'], {
    cwd: root,
  });
}

/** `node dist/main.js` on a free port. */
export function startBuilt(environment: Record<string, string>, cwd?: string): Program {
  return Program.start(main, [], { PORT: '0', ...environment }, cwd);
}

/** `node dist/cli.js`, run to its end. */
export function petstore(args: string[], environment: Record<string, string>) {
  return Program.start(cli, args, environment).end();
}
