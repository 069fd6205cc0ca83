import { Injectable, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import type { Page, Position, Selection } from '../../../kernel/page.js';
import { writeJson } from '../../json/write-json.js';
import { link, Links } from '../links.js';
import { pathBelowBase, requestThrough } from '../request-through.js';
import { ApiErrors } from '../route.decorators.js';
import { keepText } from '../server/send-json.js';
import { type CursorScope, decodeCursor, encodeCursor, textOfParameters } from './cursor.js';
import { type Listing, listingOf } from './listing.js';
import type { PageQuery } from './page.query.js';
import { ReadCoalescer } from './read-coalescer.js';

/** The filter of a list: the fields of its query that were sent, without those of paging and of `@Filter(false)`. */
export type FilterOf<Query extends PageQuery> = Partial<Omit<Query, keyof PageQuery | 'sort'>>;

/**
 * Answers with one page: the items, and `Link` with `first` and, except on the last page, `next`. Each field of the query is
 * a filter by equality, except `sort`, bounds and `@Filter(false)`. `read` may depend on the selection only: other clients share its result.
 * @throws ApiException 400 `invalid_cursor`, or `invalid_parameter` for bounds on another property than that of the order
 */
export type Paging = <Query extends PageQuery, Item>(
  query: Query,
  read: (selection: Selection<FilterOf<Query>>) => Promise<Page<Item>>,
  toBody: (item: Item) => object,
) => Promise<object[]>;

/** On a parameter of the handler of a list: the function that answers with a page. */
export const Paged = (): ParameterDecorator => (controller, name, index) => {
  requestThrough(Pager)(controller, name, index);
  ApiErrors('invalid_cursor')(controller, name!, Object.getOwnPropertyDescriptor(controller, name!)!);
};

/** Splits lists into pages linked by opaque cursors. Concurrent requests for the same page share one read. */
@Injectable()
export class Pager implements PipeTransform<Request, Paging> {
  readonly #pages = new ReadCoalescer<{ readonly body: object[]; readonly links: string }>();

  constructor(private readonly links: Links) {}

  /** For `@Paged()`. */
  transform(request: Request): Paging {
    return (query, read, toBody) => this.#page(request, query, read, toBody);
  }

  async #page<Query extends PageQuery, Item>(
    request: Request,
    query: Query,
    read: (selection: Selection<FilterOf<Query>>) => Promise<Page<Item>>,
    toBody: (item: Item) => object,
  ): Promise<object[]> {
    const { cursor, limit, size } = query;
    const path = pathBelowBase(request);
    const { parameters, selection, kind } = listingOf(query);
    const scope = { list: path, filter: textOfParameters(parameters), kind };
    const after = cursor === undefined ? undefined : decodeCursor(cursor, scope);
    const base = this.links.of(request);
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
    request.res!.setHeader('Link', page.links);
    return page.body;
  }
}

/** The links of a page, made from the address of the first one. */
function linksOf(address: string, scope: CursorScope, next: Position | undefined): string {
  const first = link(address, 'first');
  if (next === undefined) return first;
  // A cursor has no characters that need escaping in an address.
  const following = `${address}${address.includes('?') ? '&' : '?'}cursor=${encodeCursor(scope, next)}`;
  return `${link(following, 'next')}, ${first}`;
}

/** The cursor for the page after the item with this id, in a list that is sorted newest first. */
export function cursorAfter(path: string, parameters: Listing['parameters'], id: Position['id']): string {
  return encodeCursor({ list: path, filter: textOfParameters(parameters) }, { id });
}
