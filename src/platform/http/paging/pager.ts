import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Page, Position, Selection } from '../../../kernel/page.js';
import { writeJson } from '../../json/write-json.js';
import { link, Links } from '../links.js';
import { keepText } from '../server/send-json.js';
import { type CursorScope, decodeCursor, encodeCursor } from './cursor.js';
import { type Listing, listingOf, textOfParameters } from './listing.js';
import type { PageQuery } from './page.query.js';
import { ReadCoalescer } from './read-coalescer.js';

/** What a list can be filtered by: the fields of its query that are no part of paging. */
export type FilterOf<Query extends PageQuery> = Omit<Query, keyof PageQuery | 'sort'>;

/** Cuts lists into pages that are linked by opaque cursors. Requests for the same page at the same time share it. */
@Injectable()
export class Pager {
  readonly #pages = new ReadCoalescer<{ readonly body: object[]; readonly links: string }>();

  constructor(private readonly links: Links) {}

  /**
   * Answers with one page: the items, and `Link` with `first`, and `next` where there is more. Each field of the query is
   * a filter by equality, but for `sort` and ranges. `read` may depend on the selection alone, for other clients get the
   * page too. @throws ApiException 400 `invalid_cursor`, or `invalid_parameter` for a range of what the list is not sorted by
   */
  async page<Query extends PageQuery, Item>(
    response: Response,
    path: string,
    query: Query,
    read: (selection: Selection<FilterOf<Query>>) => Promise<Page<Item>>,
    toBody: (item: Item) => object,
  ): Promise<object[]> {
    const { cursor, limit, size } = query;
    const { parameters, selection, kind } = listingOf(query);
    const scope = { list: path, filter: textOfParameters(parameters), kind };
    const after = cursor === undefined ? undefined : decodeCursor(cursor, scope);
    const base = this.links.of(response.req);
    const key = `${base.text}${path}?${scope.filter}&${cursor}&${limit}`;
    const page = await this.#pages.get(key, async () => {
      const { items, next } = await read({
        ...(selection as Selection<FilterOf<Query>>),
        after,
        limit: size,
      });
      const body = items.map(toBody);
      keepText(body, writeJson(body));
      return { body, links: linksOf(base.to(path, { ...parameters, limit }), scope, next) };
    });
    response.setHeader('Link', page.links);
    return page.body;
  }
}

/** The links of a page, by the address of the first one. */
function linksOf(address: string, scope: CursorScope, next: Position | undefined): string {
  const first = link(address, 'first');
  if (next === undefined) return first;
  // A cursor has no character that an address would have to escape.
  const following = `${address}${address.includes('?') ? '&' : '?'}cursor=${encodeCursor(scope, next)}`;
  return `${link(following, 'next')}, ${first}`;
}

/** The cursor that leads on after the item with this id, in a list that is filtered but sorted newest first. */
export function cursorAfter(path: string, parameters: Listing['parameters'], id: Position['id']): string {
  return encodeCursor({ list: path, filter: textOfParameters(parameters) }, { id });
}
