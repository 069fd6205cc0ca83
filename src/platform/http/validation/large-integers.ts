import { type FieldProblem, type Path, rulesOf } from './problems.js';

const CODE = 'out_of_range';
const MESSAGE = `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** Problems that say already that no number belongs there. */
const OF_KIND = ['unknown_field', 'read_only_field', 'invalid_type', 'invalid_enum_value'];

/**
 * The problems of a body that holds integers which a number does not hold: those that were found, and one for each such integer that
 * no field took as a bigint. `made` is what class-transformer made of `given`.
 */
export function withLargeIntegers(found: FieldProblem[], given: unknown, made: unknown): FieldProblem[] {
  const ofKind = new Set(found.filter(({ code }) => OF_KIND.includes(code)).map(({ path }) => keyOf(path)));
  const paths = largeIntegers(given, made).filter((path) => !keysTo(path).some((key) => ofKind.has(key)));
  // The rules of a list know no index.
  const named = new Set(paths.flatMap(keysTo));
  return [
    ...paths.map((path): FieldProblem => ({ path, code: CODE, message: MESSAGE })),
    ...found.filter(({ path }) => !named.has(keyOf(path))),
  ];
}

const keyOf = (path: Path) => JSON.stringify(path);
/** The keys of a path and of all that leads to it. */
const keysTo = (path: Path) => path.map((_, i) => keyOf(path.slice(0, i + 1)));

type Members = Readonly<Record<string, unknown>>;

function largeIntegers(given: unknown, made: unknown): Path[] {
  const paths: Path[] = [];
  // One for all values: a path of its own for each of them takes most of the time.
  const at: string[] = [];
  const collect = (source: unknown, value: unknown): void => {
    // One that a `@Transform` makes of a text or a number is what its author wants.
    if (typeof value === 'bigint' && ['bigint', 'undefined'].includes(typeof source)) paths.push([...at]);
    if (typeof value !== 'object' || value === null) return;
    const dto = (Object.getPrototypeOf(value) as object | null)?.constructor ?? Object;
    const rules = rulesOf(dto);
    // Of another package, made by a `@Transform`.
    if (rules.size === 0 && !PLAIN.includes(dto)) return;
    for (const [name, member] of value instanceof Map ? value : Object.entries(value)) {
      if (typeof member !== 'bigint' && typeof member !== 'object') continue;
      if (rules.get(String(name))?.some((rule) => rule.name === 'isInt64')) continue;
      at.push(String(name));
      collect((source as Members | null | undefined)?.[String(name)], member);
      at.pop();
    }
  };
  collect(given, made);
  return paths;
}

/** What JSON is made of, and what class-transformer makes of an object besides. */
const PLAIN: readonly unknown[] = [Object, Array, Map];
