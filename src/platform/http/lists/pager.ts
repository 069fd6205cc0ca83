import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import type { Request } from 'express';
import type { Page, Position, Selection } from '../../../kernel/page.js';
import { toRelativePath } from '../../config/base-path.js';
import { writeJson } from '../../json/write-json.js';
import { link, textOfParameters } from '../base-address.js';
import { Links } from '../links.js';
import { FromRequest } from '../request.js';
import { pathOf } from '../request-path.js';
import { ApiErrors, documentedParameter } from '../routes/route.decorators.js';
import { keepText } from '../server/send-json.js';
import { cachedQueryClass } from '../validation/query-cache.js';
import { type CursorScope, decodeCursor, encodeCursor } from './cursor.js';
import { type Listing, listingOf, type ListOptions } from './listing.js';
import { DEFAULT_LIMIT, PageQuery } from './page.query.js';
import { ReadCoalescer } from './read-coalescer.js';
import { readSortValue, writeSortValue } from './sort-value.js';

/** The filter of a list: the fields of its query that are filters, if the client sent them. */
type FilterOf<Query extends PageQuery> = Partial<Omit<Query, keyof PageQuery | 'sort'>>;

/**
 * Responds with one page of a list: the items that `read` finds, as `toBody` shows them. The header `Link` has the URL of the
 * `first` page and, except on the last page, of the `next` one. `options` say what the list does with the fields of its query.
 * @throws ApiException 400 `invalid_cursor` for a cursor of another list, or of another filter
 * @throws ApiException 400 `invalid_parameter` for a bound on a property that the list is not sorted by
 */
export type Paging = <Query extends PageQuery, Item>(
  query: Query,
  read: (selection: Selection<FilterOf<Query>>) => Promise<Page<Item>>,
  toBody: (item: Item) => object,
  options?: ListOptions<NoInfer<Query>>,
) => Promise<object[]>;

type Read = (selection: Selection<object>) => Promise<Page<unknown>>;
type ToBody = (item: unknown) => object;
type PageResponse = Readonly<{ body: object[]; links: string }>;

const SHARED = 'shared';

/**
 * Splits lists into pages, which cursors link. Modules do not provide it, because Nest makes a pager for each module with a
 * parameter of `@Paged()` or `@SharedPages()`.
 */
@Injectable()
class Pager implements PipeTransform<Request, Paging> {
  readonly #sharedReads = new ReadCoalescer<PageResponse>();

  constructor(private readonly links: Links) {}

  transform(request: Request, { data }: Pick<ArgumentMetadata, 'data'>): Paging {
    return (query, read, toBody, options = {}) =>
      this.#page(request, data === SHARED, query, read as Read, toBody as ToBody, options);
  }

  async #page<Query extends PageQuery>(
    request: Request,
    isShared: boolean,
    query: Query,
    read: Read,
    toBody: ToBody,
    options: ListOptions<Query>,
  ): Promise<object[]> {
    const { cursor, limit } = query;
    const { path } = request;
    const { parameters, selection, kind } = listingOf(query, options);
    const scope = { list: toRelativePath(path), filter: textOfParameters(parameters), kind };
    const after = cursor === undefined ? undefined : decodeCursor(cursor, scope);
    const base = this.links.of(request);
    const respond = async (): Promise<PageResponse> => {
      const { items, next } = await read({ ...selection, after, limit: limit ?? DEFAULT_LIMIT });
      const body = items.map(toBody);
      if (isShared) keepText(body, writeJson(body));
      return { body, links: linksOf(base.beside(pathOf(request), { ...parameters, limit }), scope, next) };
    };
    // Different pages have different keys.
    const key = `${base.text}${path}?${scope.filter}&${cursor}&${limit}`;
    const { body, links } = await (isShared ? this.#sharedReads.get(key, respond) : respond());
    request.res!.setHeader('Link', links);
    return body;
  }
}

const paging = (sharing?: typeof SHARED): ParameterDecorator =>
  documentedParameter(FromRequest(sharing, Pager), ApiErrors('invalid_cursor'));

/** A parameter of the handler of a list: the function that responds with a page (`Paging`). Each request reads its own page. */
export const Paged = () => paging();

/**
 * A parameter as `@Paged()`, for a list that many clients request at the same time. Equal requests share one read and one JSON
 * text, so interceptors that change the body have no effect. Valid queries of this route are not validated again. So the rules of
 * the query, `read` and `toBody` must not depend on the caller.
 */
export const SharedPages = (): ParameterDecorator => (controller, name, index) => {
  paging(SHARED)(controller, name, index);
  const types = Reflect.getMetadata(TYPES, controller, name!) as Type<object>[];
  const cached = types.map((type) => (type.prototype instanceof PageQuery ? cachedQueryClass(type) : type));
  Reflect.defineMetadata(TYPES, cached, controller, name!);
};

/** The metadata in which TypeScript stores the types of a handler's parameters. Nest passes them to pipes. */
const TYPES = 'design:paramtypes';

/** The header `Link` of a page. `address` is the URL of the first page. */
function linksOf(address: string, scope: CursorScope, next: Position | undefined): string {
  const first = link(address, 'first');
  if (next === undefined) return first;
  checkKind(scope, next);
  // The characters of a cursor need no escaping in a URL.
  const following = `${address}${address.includes('?') ? '&' : '?'}cursor=${encodeCursor(scope, next)}`;
  return `${link(following, 'next')}, ${first}`;
}

/** @throws Error if the list is sorted by values of another kind: a cursor with such a value would be rejected */
function checkKind({ kind }: CursorScope, { value = null }: Position): void {
  if (kind === undefined || readSortValue(kind, writeSortValue(kind, value)) !== undefined) return;
  throw new Error(
    `A list is sorted by a column whose values are not ${kind}: name its kind in the option sort, or use a column of a kind that has one.`,
  );
}

/**
 * The cursor of the page that begins after the item with this id, in a list that is sorted by id, newest first. `path` is the path of
 * the list below the base URL, `parameters` its filters in the order in which the query class declares them.
 */
export function cursorAfter(path: string, parameters: Listing['parameters'], id: Position['id']): string {
  return encodeCursor({ list: path, filter: textOfParameters(parameters) }, { id });
}
