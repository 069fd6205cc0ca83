import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Every file below a folder. */
export const filesUnder = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Writes a file, and the folders that it needs. */
export function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The text of a file, with `\n` at its line ends, even if git has written others. */
export const textOf = (file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n');

/** The content of a file; empty if it does not exist. */
export const contentOf = (file) => (existsSync(file) ? readFileSync(file) : undefined);
