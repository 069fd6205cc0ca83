import { Int64 } from '../../../kernel/int64.js';
import type { SortValue } from '../../../kernel/page.js';
import { StoredInstant } from '../../../kernel/stored-instant.js';

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * How a value is read from the text that a cursor has for it, by the kind of column. Each parser returns undefined for a text that
 * `writeSortValue` would not write for a value of this kind.
 */
const PARSERS = {
  /** A column of `columns.int64` or `columns.number`. */
  int64: Int64.parse,
  /** A column of `columns.instant`, in milliseconds, or TypeORM's own column of a `Date`, as the database has it. */
  instant: (text: string) => {
    const stored = parseJsonString(text);
    if (stored !== undefined) return StoredInstant.of(stored);
    const date = new Date(Number(Int64.parse(text) ?? Number.NaN));
    return Number.isNaN(date.getTime()) ? undefined : date;
  },
  /** A column of `columns.text`. */
  text: parseJsonString,
  /** A column of `columns.day`. MySQL rejects a day that its month does not have. */
  day: (text: string) => {
    const day = parseJsonString(text);
    return day !== undefined && StoredInstant.of(`${day} 00:00:00`) ? day : undefined;
  },
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
export function writeSortValue(kind: SortKind, value: SortValue): string {
  if (value instanceof StoredInstant) return writeSortValue('text', value.text);
  if (value instanceof Date) return String(value.getTime());
  // TypeORM returns a `bigint` as a text.
  if (typeof value !== 'string' || kind === 'int64') return String(value);
  return JSON.stringify(value).replaceAll(' ', String.raw`\u0020`);
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
