import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import type { Request } from 'express';
import type { Page, Position, Selection } from '../../../kernel/page.js';
import { toRelativePath } from '../../config/base-path.js';
import { writeJson } from '../../json/write-json.js';
import { link, textOfParameters } from '../base-address.js';
import { Links } from '../links.js';
import { FromRequest, pathOf } from '../request.js';
import { ApiErrors } from '../route.decorators.js';
import { keepText } from '../server/send-json.js';
import { keptClass } from '../validation/query-cache.js';
import { type CursorScope, decodeCursor, encodeCursor } from './cursor.js';
import { type Listing, listingOf, type ListShape, listShapeOf } from './listing.js';
import { DEFAULT_LIMIT, PageQuery } from './page.query.js';
import { ReadCoalescer } from './read-coalescer.js';

/** The filter of a list: the fields of its query that were sent, without those of paging and of `@Filter(false)`. */
export type FilterOf<Query extends PageQuery> = Partial<Omit<Query, keyof PageQuery | 'sort'>>;

/**
 * Answers with one page: the items, and `Link` with `first` and, except on the last page, `next`. Each field of the query is
 * a filter by equality, except `sort`, bounds and `@Filter(false)`.
 * @throws ApiException 400 `invalid_cursor`, or `invalid_parameter` for bounds on another property than that of the order
 */
export type Paging = <Query extends PageQuery, Item>(
  query: Query,
  read: (selection: Selection<FilterOf<Query>>) => Promise<Page<Item>>,
  toBody: (item: Item) => object,
) => Promise<object[]>;

type Read = (selection: Selection<object>) => Promise<Page<unknown>>;
type ToBody = (item: unknown) => object;
type Answer = Readonly<{ body: object[]; links: string }>;

const SHARED = 'shared';

/** Splits lists into pages linked by opaque cursors. In no list of providers: Nest makes one for each module with such a parameter. */
@Injectable()
export class Pager implements PipeTransform<Request, Paging> {
  readonly #shapes = new WeakMap<object, ListShape>();
  readonly #sharedReads = new ReadCoalescer<Answer>();

  constructor(private readonly links: Links) {}

  transform(request: Request, { data }: Pick<ArgumentMetadata, 'data'>): Paging {
    return (query, read, toBody) =>
      this.#page(request, data === SHARED, query, read as Read, toBody as ToBody);
  }

  async #page(request: Request, isShared: boolean, query: PageQuery, read: Read, toBody: ToBody) {
    const { cursor, limit } = query;
    const { path } = request;
    const { parameters, selection, kind } = listingOf(query, this.#shapeOf(query));
    const scope = { list: toRelativePath(path), filter: textOfParameters(parameters), kind };
    const after = cursor === undefined ? undefined : decodeCursor(cursor, scope);
    const base = this.links.of(request);
    const make = async (): Promise<Answer> => {
      const { items, next } = await read({ ...selection, after, limit: limit ?? DEFAULT_LIMIT });
      const body = items.map(toBody);
      if (isShared) keepText(body, writeJson(body));
      return { body, links: linksOf(base.beside(pathOf(request), { ...parameters, limit }), scope, next) };
    };
    // Different for different pages.
    const key = `${base.text}${path}?${scope.filter}&${cursor}&${limit}`;
    const { body, links } = await (isShared ? this.#sharedReads.get(key, make) : make());
    request.res!.setHeader('Link', links);
    return body;
  }

  #shapeOf(query: PageQuery): ListShape {
    const prototype = Object.getPrototypeOf(query) as object;
    const shape = this.#shapes.get(prototype) ?? listShapeOf(prototype);
    this.#shapes.set(prototype, shape);
    return shape;
  }
}

const paged =
  (sharing?: typeof SHARED): ParameterDecorator =>
  (controller, name, index) => {
    FromRequest(sharing, Pager)(controller, name, index);
    ApiErrors('invalid_cursor')(controller, name!, Object.getOwnPropertyDescriptor(controller, name!)!);
  };

/** On a parameter of the handler of a list: the function that answers with a page, read for this request alone. */
export const Paged = () => paged();

/**
 * As `@Paged()`, for a list that many ask for at the same time: equal requests share one read, and valid queries are kept. What
 * is sent is the text that was written for the first of them, so interceptors do not see it; nothing that the query's rules,
 * `read` or `toBody` do may depend on the caller.
 */
export const SharedPages = (): ParameterDecorator => (controller, name, index) => {
  paged(SHARED)(controller, name, index);
  const types = Reflect.getMetadata(TYPES, controller, name!) as Type<object>[];
  // What is kept belongs to this handler, whose query thus has a class that no other route has.
  const own = types.map((type) => (type.prototype instanceof PageQuery ? keptClass(type) : type));
  Reflect.defineMetadata(TYPES, own, controller, name!);
};

/** Where TypeScript writes down the types of the parameters of a handler. */
const TYPES = 'design:paramtypes';

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
