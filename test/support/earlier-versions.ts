import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { keepFolder } from './processes/keeper.js';

/** The commits of earlier versions. */
const COMMITS = { '1.1': '5882406', '2.0': '62487ba1' } as const;
type Version = keyof typeof COMMITS;
export const EARLIER = Object.keys(COMMITS) as Version[];

const ROOT = resolve(import.meta.dirname, '../..');
/** The clone may belong to another user. */
const GIT = ['-c', 'safe.directory=*'];

const missing = Object.values(COMMITS).filter(
  (commit) => spawnSync('git', [...GIT, 'cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status !== 0,
);
export const canBuildEarlier = missing.length === 0;
if (!canBuildEarlier)
  process.stderr.write(
    `LEFT OUT, and counted as skipped: earlier versions beside this one, because this clone has no commit ${missing.join(' and ')}: git fetch --unshallow.\n`,
  );

/** Builds an earlier version with the packages of this tree, which has all that it needs. @returns its folder */
export function buildEarlier(version: Version): string {
  const folder = mkdtempSync(join(tmpdir(), `petstore-${version}-`));
  keepFolder(folder);
  const parts = ['src', 'docs', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];
  const command = [...GIT, 'archive', COMMITS[version], ...parts];
  const tree = execFileSync('git', command, { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: tree });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // Types of packages may have changed since then; only the running program matters.
  const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--noCheck'];
  execFileSync(process.execPath, tsc, { cwd: folder });
  copyFileSync(join(folder, 'docs/openapi.json'), join(folder, 'dist/openapi.json'));
  return folder;
}
