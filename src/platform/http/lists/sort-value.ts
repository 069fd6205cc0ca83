import { Int64 } from '../../../kernel/int64.js';
import type { SortValue } from '../../../kernel/page.js';

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * How a value is read from the text that a cursor has for it, by the kind of column. Each parser returns undefined for a text that
 * `writeSortValue` would not write for a value of this kind.
 */
const PARSERS = {
  /** A column of `columns.int64` or `columns.number`. */
  int64: Int64.parse,
  /** A column of `columns.instant`. */
  instant: (text: string) => {
    const date = new Date(Number(Int64.parse(text) ?? Number.NaN));
    return Number.isNaN(date.getTime()) ? undefined : date;
  },
  /** A column of `columns.text`. */
  text: parseJsonString,
  /** A column of `columns.day`. */
  day: (text: string) => DAY.exec(parseJsonString(text) ?? '')?.[0],
  /** A column of `columns.word`. With other characters than ASCII, MySQL would not use the index. */
  word: (text: string) => {
    const word = parseJsonString(text);
    return PRINTABLE_ASCII.test(word ?? '') ? word : undefined;
  },
};

/** The kind of a column that a list can be sorted by. */
export type SortKind = keyof typeof PARSERS;

/** Properties that a list can be sorted by, each with its kind of column. */
export type SortKinds = Readonly<Record<string, SortKind>>;

/** Writes a value as a text without spaces. */
export function writeSortValue(value: SortValue): string {
  if (typeof value === 'string') return JSON.stringify(value).replaceAll(' ', String.raw`\u0020`);
  return String(value instanceof Date ? value.getTime() : value);
}

/** @returns the value that `writeSortValue` wrote; undefined if the text is not a value of this kind */
export const readSortValue = (kind: SortKind, text: string): SortValue | undefined =>
  text === 'null' ? null : PARSERS[kind](text);

function parseJsonString(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
