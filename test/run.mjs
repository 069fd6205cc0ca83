// npm test: lint and types in parallel, then the tests.
//   npm test                      everything except `npm run test:slow`, `test:ship` and `test:faults`
//   npm test -- --changed         lint, types, and the unit, contract, architecture and e2e tests of what has changed according to git
//   npm test -- test/e2e/access   some of the tests, without lint and types; options go to vitest
import { spawn } from 'node:child_process';
import { checksCode, isNarrowed, vitestArguments } from './support/run/run-arguments.mjs';

const args = process.argv.slice(2);

const begin = performance.now();
const seconds = () => ((performance.now() - begin) / 1_000).toFixed(1);

/** Runs a program. Its output is shown at once if `live`, otherwise when it has failed. @returns its exit code */
function run(words, { live = false } = {}) {
  return new Promise((resolve) => {
    let output = '';
    const [program, ...rest] = words;
    const stdio = live ? 'inherit' : ['ignore', 'pipe', 'pipe'];
    const child = spawn(program, rest, { stdio });
    child.stdout?.on('data', (text) => (output += text));
    child.stderr?.on('data', (text) => (output += text));
    child.on('close', (code) => {
      if (code !== 0) process.stdout.write(output);
      if (!live) console.log(`${code === 0 ? '✓' : '✗'} npm run ${words.at(-1)}  (after ${seconds()} s)`);
      resolve(code ?? 1);
    });
  });
}

// Ctrl-C also reaches vitest; this process waits for its final output.
process.on('SIGINT', () => undefined);
const scripts = checksCode(args) ? ['lint', 'types'] : [];
const checks = Promise.all(scripts.map((script) => run(['npm', 'run', '-s', script])));
const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', ...vitestArguments(args)];
if (isNarrowed(args)) {
  console.log('Lint, types and the tests of what has changed...');
  console.log(
    'Left out because of --changed: fuzz, client, browser and deploy tests, and tests that only start the built service (npm test).',
  );
} else if (checksCode(args)) {
  console.log('Lint and types, then the tests...');
  if ((await checks).some((code) => code !== 0)) process.exit(1);
} else {
  console.log('The tests that are named, without lint and types...');
}
const tests = await run(vitest, { live: true });
process.exitCode = [tests, ...(await checks)].every((code) => code === 0) ? 0 : 1;
if (process.exitCode === 0) console.log(`All of it took ${seconds()} s.`);
