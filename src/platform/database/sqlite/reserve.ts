import { rmSync, statSync, writeFileSync } from 'node:fs';
import type { DatabaseUrl } from '../../config/database-url.js';

/** Enough for some transactions of a few rows, whose pages go into the write-ahead log. */
const SIZE = 256 * 1024;

const fileOf = (url: DatabaseUrl) =>
  url.engine === 'sqlite' && url.file !== ':memory:' ? `${url.file}-reserve` : undefined;

/** Reserves disk space for a SQLite database in a second file ("ballast"), which is given up for urgent work. */
export function keepReserve(url: DatabaseUrl): void {
  const file = fileOf(url);
  if (file === undefined || statSync(file, { throwIfNoEntry: false })?.size === SIZE) return;
  try {
    writeFileSync(file, Buffer.alloc(SIZE));
  } catch {
    // There is no space, or no permission; the database reports that when it matters.
    rmSync(file, { force: true });
  }
}

/** Gives the reserved space up; the next start of the service reserves it again. @returns false if there was none */
export function giveUpReserve(url: DatabaseUrl): boolean {
  const file = fileOf(url);
  if (file === undefined || !statSync(file, { throwIfNoEntry: false })) return false;
  rmSync(file);
  return true;
}
