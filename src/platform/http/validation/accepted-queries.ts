import type { Dto, DtoClass } from './field-problems.js';
import { hasPureRules, isOpaque } from './rules.js';

const MAX_LENGTH = 64;
const MAX_QUERIES = 256;

/** A query that may be remembered: its name, and the texts that are not part of it because any text will do. */
interface Named {
  readonly name: string;
  readonly opaque: Readonly<Record<string, string>> | undefined;
}

/** Remembers short queries that pure rules have accepted: class-validator looks up its rules for each object anew. */
export class AcceptedQueries {
  readonly #known = new WeakMap<DtoClass, Map<string, Dto>>();

  /** The name by which a query is remembered; undefined if it is not. */
  nameOf(shape: DtoClass, query: object): Named | undefined {
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

  find(shape: DtoClass, { name, opaque }: Named): Dto | undefined {
    const dto = this.#known.get(shape)?.get(name);
    return dto && opaque ? Object.assign(Object.create(shape.prototype as object) as Dto, dto, opaque) : dto;
  }

  keep(shape: DtoClass, { name, opaque }: Named, dto: Dto): void {
    const remembered: Dto = Object.assign(Object.create(shape.prototype as object) as Dto, dto);
    for (const field of Object.keys(opaque ?? {})) delete (remembered as Record<string, unknown>)[field];
    let known = this.#known.get(shape);
    if (!known) this.#known.set(shape, (known = new Map()));
    if (known.size >= MAX_QUERIES) known.clear();
    known.set(name, Object.freeze(remembered));
  }
}
