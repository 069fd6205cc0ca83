import type { Dto, DtoClass } from './field-problems.js';
import { hasPureRules } from './rules.js';

/** Lists are mostly asked for with a few short queries; one with a cursor hardly comes twice. */
const MAX_LENGTH = 64;
const MAX_QUERIES = 256;

/** Remembers short queries that pure rules have accepted: class-validator looks up its rules for each object anew. */
export class AcceptedQueries {
  readonly #known = new WeakMap<DtoClass, Map<string, Dto>>();

  /** The text by which a query is remembered; undefined if it is not. */
  nameOf(shape: DtoClass, query: object): string | undefined {
    if (!hasPureRules(shape)) return undefined;
    let name = '';
    for (const [field, value] of Object.entries(query)) {
      if (typeof value !== 'string' || field.length + value.length > MAX_LENGTH) return undefined;
      // With the lengths no text can pass for another one, whatever stands in it.
      name += `${field.length} ${value.length} ${field}${value}`;
    }
    return name.length > 2 * MAX_LENGTH ? undefined : name;
  }

  find(shape: DtoClass, name: string): Dto | undefined {
    return this.#known.get(shape)?.get(name);
  }

  keep(shape: DtoClass, name: string, dto: Dto): void {
    let known = this.#known.get(shape);
    if (!known) this.#known.set(shape, (known = new Map()));
    if (known.size >= MAX_QUERIES) known.clear();
    known.set(name, Object.freeze(dto));
  }
}
