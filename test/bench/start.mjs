// Builds the service and the benchmark for a version of Node, and runs a program of the benchmark on it:
//   node test/bench/start.mjs pair [--node 20] [--checkout <folder> | --commit <revision>] [options of the program]
// Without --node it is the version that the image has. Unless that is running, all of it happens in a copy of this tree, and
// of the other checkout; a commit always has a copy of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inCopy, nodeOf, SHIPPED } from '../node/versions.mjs';

const [program, ...args] = process.argv.slice(2);

/** Takes an option out of the arguments. @returns its value, or undefined if it is not there */
function take(name) {
  const at = args.findIndex((word) => word === name || word.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const isPair = args[at] === name;
  const [word, next = ''] = args.splice(at, isPair ? 2 : 1);
  return isPair ? next : word.slice(name.length + 1);
}

async function start() {
  const major = take('--node') ?? SHIPPED;
  if (!/^\d+$/.test(major))
    throw new Error(`--node takes a major version of Node, such as ${SHIPPED}, not "${major}"`);
  const checkout = take('--checkout');
  const commit = take('--commit');
  const node = nodeOf(major);
  const env = { ...process.env, ...node.environment };

  const run = (command, words, cwd) =>
    new Promise((ended) => spawn(command, words, { cwd, env, stdio: 'inherit' }).once('close', ended));
  const mustRun = async (command, words, cwd) => {
    if ((await run(command, words, cwd)) !== 0) throw new Error(`"${command} ${words.join(' ')}" failed`);
  };
  /** Runs `work` in a tree that is built for this version. */
  const inBuilt = (source, work, isInstalled = node.program === process.execPath) => {
    const build = async (folder) => {
      await mustRun('npm', ['run', '--silent', 'build'], folder);
      return work(folder);
    };
    return isInstalled ? build(source) : inCopy(source, node, build);
  };
  /** Runs `work` in a tree with the files of a commit, built. */
  const inCommit = async (revision, work) => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-commit-'));
    await mustRun('git', ['worktree', 'add', '--quiet', '--detach', folder, revision]);
    try {
      return await inBuilt(folder, work, false);
    } finally {
      await mustRun('git', ['worktree', 'remove', '--force', folder]);
    }
  };

  return inBuilt('.', async (tree) => {
    await mustRun('npx', ['tsc', '-p', 'test/bench'], tree);
    const script = resolve(tree, `test/bench/dist/bench/${program}.js`);
    // In this folder, where results and the paths among the options are looked for.
    const measure = (...others) => run(node.program, [script, ...args, ...others], '.');
    const beside = (folder) => measure('--checkout', folder);
    if (commit !== undefined) return inCommit(commit, beside);
    return checkout === undefined ? measure() : inBuilt(checkout, beside);
  });
}

// Ctrl-C also reaches the program, which ends what it has started; this process then removes the copies.
process.on('SIGINT', () => undefined);
try {
  process.exitCode = await start();
} catch ({ message }) {
  process.stderr.write(`error: ${message}\n`);
  process.exitCode = 1;
}
