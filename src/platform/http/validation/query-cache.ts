import { hasPureRules, isOpaque } from './dto.decorators.js';
import type { Dto, DtoClass } from './problems.js';

const MAX_LENGTH = 64;
const MAX_QUERIES = 256;

/** The name of a query that may be cached, and the texts that are not part of it because any text will do. */
interface CacheKey {
  readonly name: string;
  readonly opaque: Readonly<Record<string, string>> | undefined;
}

/** Caches short queries that pure rules have accepted: class-validator looks up its rules for each object anew. */
export class QueryCache {
  readonly #queries = new WeakMap<DtoClass, Map<string, Dto>>();

  /** @returns undefined for a query that is not cached */
  keyOf(shape: DtoClass, query: object): CacheKey | undefined {
    if (!hasPureRules(shape)) return undefined;
    let name = '';
    let opaque: Record<string, string> | undefined;
    for (const [field, value] of Object.entries(query)) {
      if (typeof value !== 'string') return undefined;
      if (isOpaque(shape.prototype as object, field)) (opaque ??= {})[field] = value;
      // With the lengths no text can pass for another one, whatever stands in it.
      else if (field.length + value.length <= MAX_LENGTH)
        name += `${field.length} ${value.length} ${field}${value}`;
      else return undefined;
    }
    return name.length > 2 * MAX_LENGTH ? undefined : { name, opaque };
  }

  find(shape: DtoClass, { name, opaque }: CacheKey): Dto | undefined {
    const dto = this.#queries.get(shape)?.get(name);
    return dto && opaque ? Object.assign(Object.create(shape.prototype as object) as Dto, dto, opaque) : dto;
  }

  add(shape: DtoClass, { name, opaque }: CacheKey, dto: Dto): void {
    const cached: Dto = Object.assign(Object.create(shape.prototype as object) as Dto, dto);
    for (const field of Object.keys(opaque ?? {})) delete (cached as Record<string, unknown>)[field];
    let queries = this.#queries.get(shape);
    if (!queries) this.#queries.set(shape, (queries = new Map()));
    if (queries.size >= MAX_QUERIES) queries.clear();
    queries.set(name, Object.freeze(cached));
  }
}
