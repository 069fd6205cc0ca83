// npm run test:node: runs the tests on each supported version of Node, and prints one line per version at the end.
//   npm run test:node                     20, 22, 24 and 26, everything but lint
//   npm run test:node -- 26 test/unit     one version, some of the tests
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inCopy, nodeOf } from './versions.mjs';

const args = process.argv.slice(2);
const isVersion = (argument) => /^\d+$/.test(argument);
const versions = args.some(isVersion) ? args.filter(isVersion) : ['20', '22', '24', '26'];
const rest = args.filter((argument) => !isVersion(argument));

/** @returns a summary of the test results, and whether the run succeeded */
async function run(version) {
  const node = nodeOf(version);
  // As in other test runs. The file keeps the results of the last version.
  const results = resolve(process.env.RESULTS_FILE ?? join(tmpdir(), `petstore-results-${process.pid}.json`));
  rmSync(results, { force: true });
  const status = await inCopy('.', node, (cwd) => {
    const env = { ...process.env, ...node.environment, RESULTS_FILE: results };
    const child = spawn('node', ['node_modules/vitest/vitest.mjs', 'run', ...rest], {
      cwd,
      env,
      stdio: 'inherit',
    });
    return new Promise((ended) => child.once('close', ended));
  });
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, 'utf8'));
  if (!process.env.RESULTS_FILE) rmSync(results);
  const words = `${node.version}: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`;
  return { words, isWell: status === 0 && numPassedTests > 0 };
}

// Ctrl-C also reaches vitest; this process removes the copy afterwards.
process.on('SIGINT', () => undefined);
const lines = [];
for (const version of versions) {
  const failed = ({ message }) => ({ words: `v${version}: could not be tried: ${message}`, isWell: false });
  lines.push(await run(version).catch(failed));
}
for (const { words } of lines) console.log(words);
process.exitCode = lines.every(({ isWell }) => isWell) ? 0 : 1;
