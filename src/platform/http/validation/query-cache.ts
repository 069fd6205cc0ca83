import 'reflect-metadata';
import type { Type } from '@nestjs/common';

const IS_CACHED = Symbol('is cached');

/**
 * A subclass of a query class for one parameter of one route. The pipe caches valid queries of the subclass. It validates the queries
 * of all other parameters that have the query class each time.
 */
export function cachedQueryClass(queryClass: Type<object>): Type<object> {
  const cached = class extends queryClass {};
  Object.defineProperty(cached, 'name', { value: queryClass.name });
  Reflect.defineMetadata(IS_CACHED, true, cached);
  return cached;
}

/** Whether `cachedQueryClass` made this class. */
export const isCachedQueryClass = (type: unknown): boolean =>
  typeof type === 'function' && Reflect.hasOwnMetadata(IS_CACHED, type);

/** The length of the longest text of a query that is cached. */
const MAX_LENGTH = 128;
const MAX_QUERIES = 256;

/** The types of values that a handler cannot change. */
const IMMUTABLE = ['string', 'number', 'bigint'];

/** The valid queries of one parameter by their text. Validation is slow, because class-validator looks up the rules for each object. */
export class QueryCache {
  readonly #queries = new Map<string, object>();

  /**
   * Returns a new instance for each request, which its handler may change. The cache ignores `cursor`, because any text is valid there
   * and few requests have the same one.
   */
  async get(query: object, validate: () => Promise<unknown>): Promise<object> {
    const { cursor, ...others } = query as { readonly cursor?: unknown };
    const text = JSON.stringify(others);
    const known = this.#queries.get(text);
    if (known && cursor === undefined) return instanceLike(known, known);
    if (known && typeof cursor === 'string') return instanceLike(known, known, { cursor });
    const dto = (await validate()) as object;
    const isImmutable = Object.values(dto).every((value) => IMMUTABLE.includes(typeof value));
    if (text.length > MAX_LENGTH || !isImmutable) return dto;
    if (this.#queries.size >= MAX_QUERIES) this.#queries.clear();
    const { cursor: _, ...values } = dto as { cursor?: unknown };
    this.#queries.set(text, instanceLike(dto, values));
    return dto;
  }
}

/** Another instance of the class of `dto`, with these values. */
const instanceLike = (dto: object, ...values: object[]): object =>
  Object.assign(Object.create(Object.getPrototypeOf(dto) as object) as object, ...values);
