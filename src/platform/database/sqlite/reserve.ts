import { rmSync, statSync, writeFileSync } from 'node:fs';
import type { DatabaseUrl } from '../../config/database-url.js';

/** Some transactions of a few rows, whose pages go into the write-ahead log. */
const SIZE = 256 * 1024;

const fileOf = (url: DatabaseUrl) =>
  url.engine === 'sqlite' && url.file !== ':memory:' ? `${url.file}-reserve` : undefined;

/** Keeps room on the disk of a SQLite file, in a file beside it ("ballast"), until what is urgent needs it. */
export function keepReserve(url: DatabaseUrl): void {
  const file = fileOf(url);
  if (file === undefined || statSync(file, { throwIfNoEntry: false })?.size === SIZE) return;
  try {
    writeFileSync(file, Buffer.alloc(SIZE));
  } catch {
    // There is no room, or no right, to keep any; the database says so where it matters.
    rmSync(file, { force: true });
  }
}

/** Gives that room up. The next start of the service keeps it again. @returns false if there was none */
export function giveUpReserve(url: DatabaseUrl): boolean {
  const file = fileOf(url);
  if (file === undefined || !statSync(file, { throwIfNoEntry: false })) return false;
  rmSync(file);
  return true;
}
