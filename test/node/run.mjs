// npm run test:node: runs the tests on each supported version of Node, and prints one line per version at the end.
//   npm run test:node                     20, 22, 24 and 26, everything but lint
//   npm run test:node -- 26 test/unit     one version, some of the tests
// Its files are in a folder within the system's temporary folder, and stay there for the next run.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const args = process.argv.slice(2);
const isVersion = (argument) => /^\d+$/.test(argument);
const versions = args.some(isVersion) ? args.filter(isVersion) : ['20', '22', '24', '26'];
const rest = args.filter((argument) => !isVersion(argument));
const home = join(tmpdir(), 'petstore-node');

/** Installs Node from the npm registry, with its headers, unless this version is running. @returns the folder above `bin` */
function fetchNode(version) {
  if (process.version.startsWith(`v${version}.`)) return join(dirname(process.execPath), '..');
  const folder = join(home, `node-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--silent', '--no-save', `${name}@${version}`], { cwd: folder });
  return join(folder, 'node_modules', name);
}

/** Copies this tree without ignored files, and installs its packages, so that native ones are compiled for this version. */
function copyTree(version, environment) {
  const tree = join(home, `tree-${version}`);
  rmSync(tree, { recursive: true, force: true });
  const files = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { encoding: 'utf8' });
  for (const file of files.split('\0').filter((name) => name && existsSync(name))) {
    cpSync(file, join(tree, file));
  }
  execFileSync('git', ['init', '--quiet'], { cwd: tree });
  execFileSync('git', ['add', '--all'], { cwd: tree });
  const { status } = spawnSync('npm', ['ci', '--silent'], { cwd: tree, env: environment, stdio: 'inherit' });
  if (status !== 0) throw new Error('npm ci failed');
  return tree;
}

/** @returns a summary of the test results, and whether the run succeeded */
function run(version) {
  const node = fetchNode(version);
  const environment = { ...process.env, PATH: join(node, 'bin') + delimiter + process.env.PATH };
  // The installed headers; without them node-gyp downloads them from nodejs.org.
  if (existsSync(join(node, 'include/node/node.h'))) environment.npm_config_nodedir = node;
  const exact = execFileSync(join(node, 'bin/node'), ['--version'], { encoding: 'utf8' }).trim();
  const tree = copyTree(version, environment);
  const results = join(home, `results-${version}.json`);
  rmSync(results, { force: true });
  const { status } = spawnSync('node', ['node_modules/vitest/vitest.mjs', 'run', ...rest], {
    cwd: tree,
    env: { ...environment, RESULTS_FILE: results },
    stdio: 'inherit',
  });
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, 'utf8'));
  const words = `${exact}: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`;
  return { words, isWell: status === 0 && numPassedTests > 0 };
}

const lines = versions.map((version) => {
  try {
    return run(version);
  } catch (error) {
    return { words: `v${version}: could not be tried: ${error.message}`, isWell: false };
  }
});
for (const { words } of lines) console.log(words);
process.exitCode = lines.every(({ isWell }) => isWell) ? 0 : 1;
