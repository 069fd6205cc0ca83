import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Int64 } from '../../../kernel/int64.js';
import type { Page } from '../../../kernel/page.js';
import { JsonText } from '../server/send-json.js';
import { link, Links } from '../links.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import type { PageQuery } from './page.query.js';
import { ReadCoalescer } from './read-coalescer.js';

/** A list and the filter that a client chose for it. */
export interface Collection {
  /** The path below the base address. */
  readonly path: string;
  /** The filtering query parameters. */
  readonly filter: Readonly<Record<string, string | undefined>>;
}

/** Which part of the list a page is. */
export interface PageRequest {
  /** Only what has a smaller id; absent: from the newest on. */
  readonly before?: Int64;
  readonly limit: number;
}

interface Answer {
  readonly body: JsonText;
  readonly links: string;
}

/** Cuts lists into pages that are linked by opaque cursors. Requests for the same page at the same time share it. */
@Injectable()
export class Pager {
  readonly #answers = new ReadCoalescer<Answer>();

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
    const before = cursor === undefined ? undefined : decodeCursor(cursor, path, nameOf(filter));
    const name = `${path}?${nameOf(filter)}&${before}&${limit}`;
    const { body, links } = await this.#answers.get(name, async () => {
      const { items, next } = await read({ before, limit: size });
      return { body: JsonText.of(items.map(toBody)), links: this.#linksOf(collection, limit, next) };
    });
    response.setHeader('Link', links);
    return body;
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
  return encodeCursor({ list: path, filter: nameOf(filter), after });
}

const nameOf = (filter: Collection['filter']) =>
  Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
