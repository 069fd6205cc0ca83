import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentOf, write } from './files.js';

/** What is known of a run that has not cleared up. */
export const WHOLE = 'Its module is whole and stays.';
export const NOTHING = 'Nothing of it is left.';

/** Git ignores it, and it is on the disk of the tree, so that a file is moved into its place in one step. */
const runsOf = (root) => join(root, '.generate-module');

/** What one run has not finished, by the number of its process. */
export const folderOf = (root, pid) => join(runsOf(root), String(pid));
const journalOf = (folder) => join(folder, 'moving.json');
const doneOf = (folder) => join(folder, 'done.json');

/**
 * Puts files in their places. If the process is killed meanwhile, its journal says what has to be taken back; that the journal
 * gets another name is the one step that makes all of it stay.
 */
export function apply(root, folder, changes) {
  const changed = changes.find(({ path, old }) => {
    const now = contentOf(join(root, path));
    return old ? !now?.equals(old) : now !== undefined;
  });
  if (changed) throw new Error(`${changed.path} has changed meanwhile.`);
  for (const { path, old, content } of changes) {
    write(join(folder, 'after', path), content);
    if (old) write(join(folder, 'before', path), old);
  }
  write(join(folder, 'journal'), JSON.stringify(changes.map(({ path }) => path)));
  renameSync(join(folder, 'journal'), journalOf(folder));
  for (const { path } of changes) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    renameSync(join(folder, 'after', path), join(root, path));
  }
  renameSync(journalOf(folder), doneOf(folder));
}

/** Clears up behind a run, which has ended in whatever way. @returns what has become of its module */
export function clearUp(root, pid) {
  const folder = folderOf(root, pid);
  const outcome = existsSync(doneOf(folder)) ? WHOLE : NOTHING;
  if (existsSync(journalOf(folder)))
    for (const path of JSON.parse(readFileSync(journalOf(folder), 'utf8'))) takeBack(root, folder, path);
  // First, for what is left of the rest does no harm.
  rmSync(journalOf(folder), { force: true });
  rmSync(folder, { recursive: true, force: true });
  removeIfEmpty(runsOf(root));
  return outcome;
}

/** Does it again if it was cut off itself. */
function takeBack(root, folder, path) {
  const before = contentOf(join(folder, 'before', path));
  if (before) return write(join(root, path), before);
  rmSync(join(root, path), { force: true });
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent))
    removeIfEmpty(join(root, parent));
}

function removeIfEmpty(folder) {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTEMPTY') throw error;
  }
}

/** The processes that have left something here. */
export const runsIn = (root) => (existsSync(runsOf(root)) ? readdirSync(runsOf(root)).map(Number) : []);
