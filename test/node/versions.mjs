import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
/** Fetched and compiled files stay here for the next run. */
const HOME = join(tmpdir(), 'petstore-node');

/** The major version of Node that the image has. */
export const SHIPPED = /^FROM node:(\d+)/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))[1];

/**
 * Node of a major version, such as '26': the running one, or else that of the npm registry.
 * @returns the path of the program, its exact version, and environment variables with which npm runs on it and installs better-sqlite3 for it
 * @throws Error if npm cannot install it
 */
export function nodeOf(major) {
  const isRunning = process.version.startsWith(`v${major}.`);
  const home = isRunning ? resolve(dirname(process.execPath), '..') : fetched(major);
  const program = isRunning ? process.execPath : join(home, 'bin/node');
  const environment = { PATH: dirname(program) + delimiter + process.env.PATH };
  // The headers that came with it; without them node-gyp downloads them from nodejs.org.
  if (existsSync(join(home, 'include/node/node.h'))) environment.npm_config_nodedir = home;
  return {
    program,
    version: run(program, ['--version']).trim(),
    environment: {
      ...environment,
      npm_config_better_sqlite3_local_prebuilds: prebuilt(program, environment),
    },
  };
}

function fetched(major) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = made(`node-${major}`, (part) => {
    writeFileSync(join(part, 'package.json'), '{"private":true}');
    try {
      run('npm', ['install', '--no-save', `${name}@${major}`], { cwd: part });
    } catch ({ stderr }) {
      throw new Error(`Node ${major} cannot be installed from the npm registry:\n${stderr}`);
    }
  });
  return join(folder, 'node_modules', name);
}

/**
 * A folder with better-sqlite3 of this tree for a version of Node, packed like the archive that its authors publish: an
 * `npm ci` that uses it takes seconds instead of the minute for compiling.
 */
function prebuilt(program, environment) {
  const installed = join(ROOT, 'node_modules/better-sqlite3');
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const modules = run(program, ['-p', 'process.versions.modules']).trim();
  const { CFLAGS, CXXFLAGS } = process.env;
  const flags = createHash('sha1')
    .update(JSON.stringify([CFLAGS, CXXFLAGS]))
    .digest('hex')
    .slice(0, 8);
  return made(`better-sqlite3-${version}-${modules}-${flags}`, (part) => {
    const copy = join(part, 'better-sqlite3');
    cpSync(installed, copy, { recursive: true });
    // As npm does: this downloads the build of its authors, or else compiles.
    const bin = join(ROOT, 'node_modules/.bin');
    const env = { ...process.env, ...environment, PATH: bin + delimiter + environment.PATH };
    if (modules !== process.versions.modules) run('npm', ['run', 'install'], { cwd: copy, env });
    const archive = `better-sqlite3-v${version}-node-v${modules}-${process.platform}-${process.arch}.tar.gz`;
    run('tar', ['-czf', join(part, archive), '-C', copy, 'build/Release/better_sqlite3.node']);
    rmSync(copy, { recursive: true });
  });
}

/** Makes a folder unless there is one, complete or not at all, since several processes may want it. */
function made(name, make) {
  const folder = join(HOME, name);
  if (existsSync(folder)) return folder;
  mkdirSync(HOME, { recursive: true });
  const part = mkdtempSync(`${folder}-part-`);
  try {
    make(part);
    renameSync(part, folder);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** The output is shown only if it fails: the error contains it. */
const run = (program, args, options) =>
  execFileSync(program, args, { ...options, encoding: 'utf8', stdio: 'pipe' });

/**
 * Runs `work` in a copy of a tree without ignored files, with its packages installed for a version of Node. The copy is
 * removed afterwards.
 * @param {string} source the tree
 * @param {{ environment: object }} node
 * @param {(folder: string) => Result | Promise<Result>} work
 */
export async function inCopy(source, { environment }, work) {
  mkdirSync(HOME, { recursive: true });
  const folder = mkdtempSync(join(HOME, 'tree-'));
  try {
    const files = run('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: source });
    for (const file of files.split('\0').filter((name) => name && existsSync(join(source, name))))
      cpSync(join(source, file), join(folder, file));
    run('git', ['init', '--quiet'], { cwd: folder });
    run('git', ['add', '--all'], { cwd: folder });
    run('npm', ['ci'], { cwd: folder, env: { ...process.env, ...environment } });
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
