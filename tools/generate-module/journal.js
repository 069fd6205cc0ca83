import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentOf, write } from './files.js';

/** The outcome of a run that did not clean up after itself, as its journal shows it. */
const WHOLE = 'Its module is whole and stays.';
const NOTHING = 'Nothing of it is left.';

/** The folder is ignored by git. It is on the same disk as the tree, so that a file is moved into place in one step. */
const runsOf = (root) => join(root, '.generate-module');

/** The folder for the unfinished work of one run, by its process id. */
export const folderOf = (root, pid) => join(runsOf(root), String(pid));
const journalOf = (folder) => join(folder, 'moving.json');
const doneOf = (folder) => join(folder, 'done.json');

/**
 * Moves files into place. If the process is killed meanwhile, its journal lists the files to take back. Renaming the journal is
 * the single step that makes all changes permanent.
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

/** Cleans up after a run, however it ended. @returns what became of its module */
export function clearUp(root, pid) {
  const folder = folderOf(root, pid);
  const outcome = existsSync(doneOf(folder)) ? WHOLE : NOTHING;
  if (existsSync(journalOf(folder)))
    for (const path of JSON.parse(readFileSync(journalOf(folder), 'utf8'))) takeBack(root, folder, path);
  // The journal is removed first, because other leftovers do no harm.
  rmSync(journalOf(folder), { force: true });
  rmSync(folder, { recursive: true, force: true });
  removeIfEmpty(runsOf(root));
  return outcome;
}

/** This may run again if it was interrupted itself. */
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

/** The ids of the processes that have left a folder. */
export const runsIn = (root) => (existsSync(runsOf(root)) ? readdirSync(runsOf(root)).map(Number) : []);
