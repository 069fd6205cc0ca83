import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { BadInput } from './bad-input.js';
import { write } from './files.js';

const git = (cwd, ...args) =>
  execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });

/** The files that git tracks or would add. In a copy of the tree, git applies the same rules as in the tree. */
function filesOf(tree, gitFolder) {
  const place = [`--git-dir=${gitFolder}`, `--work-tree=${tree}`];
  const files = git(tree, ...place, 'ls-files', '-coz', '--exclude-standard').split('\0');
  // The list also contains files that were deleted but not committed, and links to folders.
  const isThere = (file) => statSync(join(tree, file), { throwIfNoEntry: false })?.isFile();
  return [...new Set(files)].filter((file) => file !== '' && isThere(file));
}

/** Checks that no new file would overwrite another, and that git ignores none of them. @throws BadInput */
export function checkPaths(root, paths) {
  const taken = paths.find((path) => existsSync(join(root, path)));
  if (taken) throw new BadInput(`${taken} is there already: choose another name.`);
  const options = { cwd: root, encoding: 'utf8', input: paths.join('\0') };
  const asked = ['-c', 'safe.directory=*', 'check-ignore', '--verbose', '-z', '--stdin'];
  const { status, stdout, stderr } = spawnSync('git', asked, options);
  // Exit code 1 means that git ignores none of the files.
  if (status !== 0 && status !== 1) throw new Error(stderr);
  const [, file, line, rule, path] = /(?:^|\0)([^\0]*)\0(\d+)\0([^!\0][^\0]*)\0([^\0]+)/.exec(stdout) ?? [];
  if (path)
    throw new BadInput(
      `git ignores ${path} by the rule ${rule} (${file}:${line}): choose another name, or change the rule.`,
    );
}

const withCrlf = (text) => text.replaceAll(/\r?\n/g, '\r\n');

/**
 * Does work in a copy of the tree, so that a failure leaves the tree unchanged.
 * @returns each file that has changed: its path, its old content (absent if it is new), and its new content. The new content has CRLF
 *   if the tree has CRLF, as git writes it on Windows.
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
