import { type FieldProblem, type Path, unknownName } from './problems.js';
import { type Rules, rulesOf } from './rules.js';

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** Names that code may take for what every object has; Nest drops such members. */
const RESERVED = ['__proto__', 'constructor', 'prototype'];
const SAFE_RANGE = `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** The paths of members with reserved names, at any depth. */
export function reservedMembers(given: unknown, path: Path = []): Path[] {
  if (!isObject(given)) return [];
  return Object.entries(given).flatMap(([name, member]) => {
    const at = [...path, name];
    return RESERVED.includes(name) ? [at] : reservedMembers(member, at);
  });
}

/** Finds what class-validator does not see, or does not say as clients understand it. */
export class Strays {
  readonly #rules = new WeakMap<object, Rules>();

  /** @param made what class-transformer made of `given` without its reserved members */
  problemsOf(given: unknown, made: unknown, reserved: readonly Path[]): FieldProblem[] {
    const unknown = reserved.map((path): FieldProblem => {
      const rules = this.#rulesOf(path.slice(0, -1).reduce(memberOf, made));
      const message = rules ? unknownName(path.at(-1)!, rules.known) : 'is a name that no member may have';
      return { path, code: 'unknown_field', message };
    });
    return [...unknown, ...this.#below(given, made, [])];
  }

  /** undefined for plain data */
  #rulesOf(made: unknown): Rules | undefined {
    const prototype = isObject(made) ? (Object.getPrototypeOf(made) as object | null) : null;
    if (prototype === null || prototype === Object.prototype) return undefined;
    const known = this.#rules.get(prototype) ?? rulesOf(prototype.constructor);
    this.#rules.set(prototype, known);
    return known;
  }

  #below(given: unknown, made: unknown, path: Path): FieldProblem[] {
    if (typeof made === 'bigint') return [{ path, code: 'out_of_range', message: SAFE_RANGE }];
    if (!isObject(made)) return [];
    if (!Array.isArray(made) && !(made instanceof Map)) return this.#ofObject(given, made, path);
    return [...made.entries()].flatMap(([key, item]: [unknown, unknown]) =>
      this.#below(memberOf(given, String(key)), item, [...path, String(key)]),
    );
  }

  #ofObject(given: unknown, made: Members, path: Path): FieldProblem[] {
    const { fields, known, int64s, nested } = this.#rulesOf(made) ?? PLAIN;
    // Of another package, made by a `@Transform`.
    if (fields.size === 0 && this.#rulesOf(made)) return [];
    const problems: FieldProblem[] = [];
    const add = (name: string, code: FieldProblem['code'], message: string) =>
      problems.push({ path: [...path, name], code, message });
    // class-transformer passes over names that the class has itself, such as those of its methods.
    for (const name of isObject(given) ? Object.keys(given) : [])
      if (name in made && !Object.hasOwn(made, name) && !fields.has(name))
        add(name, 'unknown_field', unknownName(name, known));
    for (const { name, isArray, isValidated } of nested)
      if (made[name] === undefined && isValidated(made)) add(name, 'required', 'is required');
      else if (isObject(made[name]) && isArray === !Array.isArray(made[name]))
        add(name, 'invalid_type', isArray ? 'must be an array' : 'must be an object');
    const wrong = problems.map(({ path: at }) => at.at(-1));
    // What was not sent is not there. The last first: V8 then keeps the object fast.
    for (const name of Object.keys(made).reverse()) if (made[name] === undefined) delete made[name];
    for (const [name, value] of Object.entries(made)) {
      if (int64s.has(name) || wrong.includes(name)) continue;
      // Rules with `each` know no index.
      const large = fields.has(name) && Array.isArray(value) ? value.find(isBigInt) : undefined;
      problems.push(...this.#below(memberOf(given, name), large ?? value, [...path, name]));
    }
    return problems;
  }
}

const isBigInt = (value: unknown) => typeof value === 'bigint';
const PLAIN: Rules = { fields: new Set(), known: [], int64s: new Set(), nested: [] };
