import { crc32 } from 'node:zlib';
import { Int64 } from '../../../kernel/int64.js';
import type { Position } from '../../../kernel/page.js';
import { ApiException } from '../errors/api-exception.js';
import { readSortValue, type SortKind, writeSortValue } from './sort-value.js';

/** The list that a cursor is valid for. */
export interface CursorScope {
  /** The path of the list, below the base URL. */
  readonly list: string;
  /** The filter and the order that the client chose, as one text. */
  readonly filter: string;
  /** The kind of the column that the list is sorted by; absent if the list is sorted by id. */
  readonly kind?: SortKind | undefined;
}

/** The versions of a cursor: for a list that is sorted by id, and for one that is sorted by a value and then by id. */
const [BY_ID, BY_VALUE] = ['1', '2'];

/**
 * Writes a cursor, which is opaque to clients. In base64url, it has a checksum that detects changes, a version, the position after
 * which the list continues, the list and its filter.
 */
export function encodeCursor({ list, filter, kind }: CursorScope, { id, value = null }: Position): string {
  const position = kind === undefined ? [BY_ID, id] : [BY_VALUE, id, writeSortValue(kind, value)];
  const text = [...position, list, filter].join(' ');
  return Buffer.from(`${crc32(text)} ${text}`).toString('base64url');
}

/**
 * Reads a cursor. @returns the position after which the list continues
 * @throws ApiException 400 `invalid_cursor` if `encodeCursor` did not write the cursor for this list and filter
 */
export function decodeCursor(cursor: string, scope: CursorScope): Position {
  const [, , first = '', second = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const id = Int64.parse(first) ?? 0n;
  const value = scope.kind && readSortValue(scope.kind, second);
  const after = value === undefined ? { id } : { id, value };
  // Ids are positive. A cursor is valid only if `encodeCursor` would write the same text.
  if (id >= 1n && encodeCursor(scope, after) === cursor) return after;
  const message =
    'does not belong to this list and filter; take it unchanged from a Link header of the same list';
  throw ApiException.ofProblems('invalid_cursor', [
    { field: 'query.cursor', code: 'invalid_value', message },
  ]);
}
