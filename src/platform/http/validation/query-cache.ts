import 'reflect-metadata';

const KEPT = Symbol('kept');

/** Marks a class whose valid queries are kept. */
export const keepQueries = (query: Function): void => Reflect.defineMetadata(KEPT, true, query);
export const isKept = (query: unknown): boolean =>
  typeof query === 'function' && Reflect.hasOwnMetadata(KEPT, query);

/** The longest text of a query that is kept, and how many. */
const [MAX_LENGTH, MAX_QUERIES] = [128, 256];

/** What is copied by assigning it. */
const PLAIN = ['string', 'number', 'bigint'];

/** Valid queries of one class by their text, because class-validator looks its rules up for each object. */
export class QueryCache {
  readonly #kept = new Map<string, object>();

  /** @returns an instance of the request's own, which its handler may change */
  async get(query: unknown, validate: () => Promise<unknown>): Promise<object> {
    const text = JSON.stringify(query);
    const kept = this.#kept.get(text);
    if (kept) return copyOf(kept);
    const dto = (await validate()) as object;
    if (text.length > MAX_LENGTH || !Object.values(dto).every((value) => PLAIN.includes(typeof value)))
      return dto;
    if (this.#kept.size >= MAX_QUERIES) this.#kept.clear();
    this.#kept.set(text, copyOf(dto));
    return dto;
  }
}

const copyOf = (dto: object): object =>
  Object.assign(Object.create(Object.getPrototypeOf(dto) as object) as object, dto);
