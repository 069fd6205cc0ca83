// Mutation tests: Stryker changes one thing in the code, and the tests must notice.
//   npm run test:mutation                       all files; a mutant whose file and tests are as they were is not run again
//   npm run test:mutation -- --changed HEAD^    only the files that have changed since that commit
import { execFileSync, spawn } from 'node:child_process';
import { MUTATED } from './stryker.config.mjs';

const args = process.argv.slice(2);
const place = args.indexOf('--changed');
if (place !== -1) {
  const [, revision] = args.splice(place, 2);
  const which = MUTATED.map((path) => `:(glob)${path}`);
  const changed = execFileSync('git', ['diff', '--name-only', '--diff-filter=d', revision, '--', ...which]);
  const files = changed.toString().split('\n').filter(Boolean);
  if (files.length === 0) {
    console.log(`No file that is mutated has changed since ${revision}.`);
    process.exit(0);
  }
  args.push('--mutate', files.join());
}
const stryker = 'node_modules/@stryker-mutator/core/bin/stryker.js';
const child = spawn(process.execPath, [stryker, 'run', 'test/mutation/stryker.config.mjs', ...args], {
  stdio: 'inherit',
});
child.on('close', (code) => (process.exitCode = code ?? 1));
