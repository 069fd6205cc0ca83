import 'reflect-metadata';
import type { Type } from '@nestjs/common';

const KEPT = Symbol('kept');

/** A class of one parameter of a handler, whose valid queries are kept. All others that have the class of `query` are judged each time. */
export function keptClass(query: Type<object>): Type<object> {
  const kept = class extends query {};
  Object.defineProperty(kept, 'name', { value: query.name });
  Reflect.defineMetadata(KEPT, true, kept);
  return kept;
}

export const isKept = (query: unknown): boolean =>
  typeof query === 'function' && Reflect.hasOwnMetadata(KEPT, query);

/** The longest text of a query that is kept, and how many. */
const [MAX_LENGTH, MAX_QUERIES] = [128, 256];

/** What is copied by assigning it. */
const PLAIN = ['string', 'number', 'bigint'];

/** Valid queries of one parameter by their text, because class-validator looks its rules up for each object. */
export class QueryCache {
  readonly #kept = new Map<string, object>();

  /** Each cursor is another one, and any text is valid. @returns an instance of the request's own, which its handler may change */
  async get(query: object, validate: () => Promise<unknown>): Promise<object> {
    const { cursor, ...others } = query as { readonly cursor?: unknown };
    const text = JSON.stringify(others);
    const kept = this.#kept.get(text);
    if (kept && cursor === undefined) return instanceOf(kept, kept);
    if (kept && typeof cursor === 'string') return instanceOf(kept, kept, { cursor });
    const dto = (await validate()) as object;
    const isPlain = Object.values(dto).every((value) => PLAIN.includes(typeof value));
    if (text.length > MAX_LENGTH || !isPlain) return dto;
    if (this.#kept.size >= MAX_QUERIES) this.#kept.clear();
    const { cursor: _, ...values } = dto as { cursor?: unknown };
    this.#kept.set(text, instanceOf(dto, values));
    return dto;
  }
}

/** Another instance of the class of `dto`, with these values. */
const instanceOf = (dto: object, ...values: object[]): object =>
  Object.assign(Object.create(Object.getPrototypeOf(dto) as object) as object, ...values);
