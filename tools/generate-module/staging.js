import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { BadInput } from './bad-input.js';
import { write } from './files.js';

const git = (cwd, ...args) =>
  execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });

/** The files that git tracks or would add. In a copy git decides as in the tree. */
function filesOf(tree, gitFolder) {
  const place = [`--git-dir=${gitFolder}`, `--work-tree=${tree}`];
  const files = git(tree, ...place, 'ls-files', '-coz', '--exclude-standard').split('\0');
  // What is deleted but not yet committed is listed too, and a link to a folder.
  const isThere = (file) => statSync(join(tree, file), { throwIfNoEntry: false })?.isFile();
  return [...new Set(files)].filter((file) => file !== '' && isThere(file));
}

/** Checks that no new file takes the place of another, and that git sees each of them. @throws BadInput */
export function checkPaths(root, paths) {
  const taken = paths.find((path) => existsSync(join(root, path)));
  if (taken) throw new BadInput(`${taken} is there already: choose another name.`);
  const options = { cwd: root, encoding: 'utf8', input: paths.join('\0') };
  const asked = ['-c', 'safe.directory=*', 'check-ignore', '--verbose', '-z', '--stdin'];
  const { status, stdout, stderr } = spawnSync('git', asked, options);
  // 1: it ignores none.
  if (status !== 0 && status !== 1) throw new Error(stderr);
  const [, file, line, rule, path] = /(?:^|\0)([^\0]*)\0(\d+)\0([^!\0][^\0]*)\0([^\0]+)/.exec(stdout) ?? [];
  if (path)
    throw new BadInput(
      `git ignores ${path} by the rule ${rule} (${file}:${line}): choose another name, or change the rule.`,
    );
}

const withCrlf = (text) => text.replaceAll(/\r?\n/g, '\r\n');

/**
 * Does work in a copy of the tree, where whatever fails or is killed leaves the tree alone.
 * @returns for each file that came out different: its path, what it was (absent if it is new), and what it is, with CRLF if the
 *   tree has it, as git writes it on Windows
 */
export async function changesIn(root, copy, work) {
  const gitFolder = git(root, 'rev-parse', '--absolute-git-dir').trim();
  const before = new Map(filesOf(root, gitFolder).map((file) => [file, readFileSync(join(root, file))]));
  for (const [file, content] of before) write(join(copy, file), content);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  await work();
  rmSync(join(copy, 'node_modules'));
  const differs = ({ old, content }) => !old?.equals(content);
  const changes = filesOf(copy, gitFolder)
    .map((path) => ({ path, old: before.get(path), content: readFileSync(join(copy, path)) }))
    .filter(differs);
  if (!before.get('package.json').includes('\r\n')) return changes;
  return changes
    .map((change) => ({ ...change, content: Buffer.from(withCrlf(change.content.toString())) }))
    .filter(differs);
}
