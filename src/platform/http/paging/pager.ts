import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Problem } from '../../../kernel/domain-error.js';
import { Int64 } from '../../../kernel/int64.js';
import type { Page } from '../../../kernel/page.js';
import { writeJson } from '../../json/write-json.js';
import { ApiException } from '../errors/api-exception.js';
import { summaryOf } from '../errors/error-response.js';
import { link, Links } from '../links.js';
import { JsonText } from '../server/send-json.js';
import type { PageQuery } from './page.query.js';
import { ReadCoalescer } from './read-coalescer.js';

/** A list, and the filter that a client chose for it. */
export interface Collection {
  /** The path below the base address. */
  readonly path: string;
  /** The filtering query parameters. */
  readonly filter: Readonly<Record<string, string | undefined>>;
}

/** Which part of a list a page is. */
export interface PageRequest {
  /** Only what has a smaller id; absent: from the newest on. */
  readonly before?: Int64;
  readonly limit: number;
}

/** Cuts lists into pages that are linked by opaque cursors. Requests for the same page at the same time share it. */
@Injectable()
export class Pager {
  readonly #pages = new ReadCoalescer<{ readonly body: JsonText; readonly links: string }>();

  constructor(private readonly links: Links) {}

  /**
   * Answers with one page, newest first: the items as JSON, and `Link` with `first`, and `next` where there is more.
   * @throws ApiException 400 `invalid_cursor`
   */
  async page<Item>(
    response: Response,
    collection: Collection,
    query: PageQuery,
    read: (page: PageRequest) => Promise<Page<Item>>,
    toBody: (item: Item) => object,
  ): Promise<JsonText> {
    const { path, filter } = collection;
    const { cursor, limit, size } = query;
    const before = cursor === undefined ? undefined : decodeCursor(cursor, path, textOf(filter));
    const key = `${path}?${textOf(filter)}&${before}&${limit}`;
    const page = await this.#pages.get(key, async () => {
      const { items, next } = await read({ before, limit: size });
      const body = new JsonText(writeJson(items.map(toBody)), true);
      return { body, links: this.#linksOf(collection, limit, next) };
    });
    response.setHeader('Link', page.links);
    return page.body;
  }

  #linksOf(collection: Collection, limit: number | undefined, next: Int64 | undefined): string {
    const address = this.links.to(collection.path, { ...collection.filter, limit });
    const first = link(address, 'first');
    if (next === undefined) return first;
    // A cursor has no character that an address would have to escape.
    const following = `${address}${address.includes('?') ? '&' : '?'}cursor=${cursorAfter(collection, next)}`;
    return `${link(following, 'next')}, ${first}`;
  }
}

/** The cursor of the page that follows the item with this id. */
export function cursorAfter({ path, filter }: Collection, after: Int64): string {
  return encodeCursor({ list: path, filter: textOf(filter), after });
}

const textOf = (filter: Collection['filter']) =>
  Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

/** Where a list goes on: after the item with this id. A cursor is good for the list and the filter it was made for. */
export interface Cursor {
  readonly list: string;
  readonly filter: string;
  readonly after: Int64;
}

const VERSION = '1';

/** An opaque text: base64url of a check sum, which tells an altered one, a version, the id, the list and its filter. */
export function encodeCursor({ list, filter, after }: Cursor): string {
  const text = [VERSION, after, list, filter].join(' ');
  return Buffer.from(`${crc32(text)} ${text}`).toString('base64url');
}

/** @returns the id after which the list goes on. @throws ApiException 400 `invalid_cursor` */
export function decodeCursor(cursor: string, list: string, filter: string): Int64 {
  const id = Buffer.from(cursor, 'base64url').toString().split(' ')[2] ?? '';
  const after = Int64.parse(id);
  // Whatever does not come out as we would have written it is not ours, and ids are positive.
  if (after === undefined || after < 1n || encodeCursor({ list, filter, after }) !== cursor) {
    const message =
      'does not belong to this list and filter; take it unchanged from a Link header of the same list';
    const details: Problem[] = [{ field: 'query.cursor', code: 'malformed_text', message }];
    throw new ApiException('invalid_cursor', summaryOf(details), { details });
  }
  return after;
}
