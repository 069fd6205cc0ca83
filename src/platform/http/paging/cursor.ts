import { crc32 } from 'node:zlib';
import type { Problem } from '../../../kernel/domain-error.js';
import { Int64 } from '../../../kernel/int64.js';
import { summaryOf } from '../errors/error-response.js';
import { ApiException } from '../errors/api-exception.js';

/** Where a list goes on: after the item with this id. A cursor is good for the list and the filter it was made for. */
export interface Cursor {
  readonly list: string;
  readonly filter: string;
  readonly after: Int64;
}

const VERSION = '1';

/** An opaque cursor: base64url of a check sum, which tells an altered one, a version, the id, the list and its filter. */
export function encodeCursor({ list, filter, after }: Cursor): string {
  const text = [VERSION, after, list, filter].join(' ');
  return Buffer.from(`${crc32(text)} ${text}`).toString('base64url');
}

/** @returns the id after which the list goes on. @throws ApiException 400 `invalid_cursor` */
export function decodeCursor(cursor: string, list: string, filter: string): Int64 {
  const id = Buffer.from(cursor, 'base64url').toString().split(' ')[2] ?? '';
  const after = Int64.parse(id);
  // Whatever does not come out as we would have written it is not ours.
  if (after === undefined || encodeCursor({ list, filter, after }) !== cursor) {
    const message =
      'does not belong to this list and filter; take it unchanged from a Link header of the same list';
    const detail: Problem = { field: 'query.cursor', code: 'malformed_text', message };
    throw new ApiException('invalid_cursor', summaryOf([detail]), { details: [detail] });
  }
  return after;
}
