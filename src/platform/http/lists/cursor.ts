import { crc32 } from 'node:zlib';
import { Int64 } from '../../../kernel/int64.js';
import type { Position } from '../../../kernel/page.js';
import { ApiException } from '../errors/api-exception.js';
import { readSortValue, type SortKind, writeSortValue } from './listing.js';

/** What a cursor is valid for. */
export interface CursorScope {
  /** The path of the list, below the base address. */
  readonly list: string;
  /** The filter and the order that the client chose, as one text. */
  readonly filter: string;
  /** The kind of column that the list is sorted by; absent: by id. */
  readonly kind?: SortKind | undefined;
}

/** The versions of a cursor: by id, which is as old as the service, or by a value and id. */
const [BY_ID, BY_VALUE] = ['1', '2'];

/**
 * An opaque text, in base64url: a checksum that detects changes, a version, the position after which the list continues, the
 * list and its filter.
 */
export function encodeCursor({ list, filter, kind }: CursorScope, { id, value = null }: Position): string {
  const place = kind === undefined ? [BY_ID, id] : [BY_VALUE, id, writeSortValue(value)];
  const text = [...place, list, filter].join(' ');
  return Buffer.from(`${crc32(text)} ${text}`).toString('base64url');
}

/** @returns the position after which the list continues. @throws ApiException 400 `invalid_cursor` */
export function decodeCursor(cursor: string, scope: CursorScope): Position {
  const [, , first = '', second = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const id = Int64.parse(first) ?? 0n;
  const value = scope.kind && readSortValue(scope.kind, second);
  const after = value === undefined ? { id } : { id, value };
  // Only accepts what `encodeCursor` would produce. Ids are positive.
  if (id >= 1n && encodeCursor(scope, after) === cursor) return after;
  const message =
    'does not belong to this list and filter; take it unchanged from a Link header of the same list';
  throw ApiException.ofProblems('invalid_cursor', [
    { field: 'query.cursor', code: 'invalid_value', message },
  ]);
}
