import { Int64 } from '../../../kernel/int64.js';
import type { SortValue } from '../../../kernel/page.js';

/** The latest time of a Date, in ms. */
const LAST_INSTANT = 8_640_000_000_000_000n;
const ASCII = /^[\x20-\x7e]*$/;

/** How a cursor represents values other than null: parsers, which return undefined for an invalid text. No spaces. */
const KINDS = {
  /** As `columns.int64` and `columns.number`. */
  int64: Int64.parse,
  /** As `columns.instant`. */
  instant: (text: string) => {
    const time = Int64.parse(text);
    return time === undefined || time > LAST_INSTANT || time < -LAST_INSTANT
      ? undefined
      : new Date(Number(time));
  },
  /** As `columns.text`. */
  text: textFrom,
  /** As `columns.word`: other characters would keep MySQL from using the index. */
  word: (text: string) => {
    const word = textFrom(text);
    return word !== undefined && ASCII.test(word) ? word : undefined;
  },
};

/** The kind of column that a list can be sorted by. */
export type SortKind = keyof typeof KINDS;

const NULL = 'null';

/** A value as a text without spaces. */
export function writeSortValue(value: SortValue): string {
  if (value === null) return NULL;
  if (typeof value === 'string') return JSON.stringify(value).replaceAll(' ', String.raw`\u0020`);
  return String(value instanceof Date ? value.getTime() : value);
}

/** @returns undefined for a text that is not a value of this kind */
export function readSortValue(kind: SortKind, text: string): SortValue | undefined {
  return text === NULL ? null : KINDS[kind](text);
}

function textFrom(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
