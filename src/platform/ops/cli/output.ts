import { createRequire } from 'node:module';
import type CliTable from 'cli-table3';

/** A table without borders, which can be copied and cut. */
export function tableOf(rows: (readonly string[])[]): string {
  const frameless = { 'top-mid': '', 'top-left': '', 'top-right': '', 'bottom-mid': '', 'bottom-left': '' };
  const chars = { ...frameless, top: '', bottom: '', 'bottom-right': '', left: '', 'left-mid': '', mid: '' };
  // Only a command needs this package, and the service loads this file.
  const Table = createRequire(import.meta.url)('cli-table3') as typeof CliTable;
  const lines = new Table({
    chars: { ...chars, 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  lines.push(...rows.map((row) => [...row]));
  return lines
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
