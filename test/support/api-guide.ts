import { join } from 'node:path';
import { readText } from './read-text.js';

/** The guide for clients. */
export const GUIDE = readText(join(import.meta.dirname, '../../docs/api.md'));

/** The cells of the rows of a table of the guide, by the heading of its first column. */
export const rowsOf = (head: string): string[][] => {
  const [, rows] = new RegExp(`^\\| ${head} +\\|.*\\n\\| -.*\\n((?:\\|.*\\n)+)`, 'm').exec(GUIDE)!;
  const lines = rows!.trimEnd().split('\n');
  return lines.map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| +| *\|?$/g, '')));
};

/** A limit that the guide names, such as `8192 bytes`. Undefined if the guide does not have it. */
export const limitInGuide = (what: string): string | undefined =>
  rowsOf('What').find(([name]) => name === what)?.[1];
