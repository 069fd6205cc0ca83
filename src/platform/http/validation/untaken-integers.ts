import { exactIntegersIn } from '../../json/exact-integers.js';
import { nameInJson } from './name-in-json.js';
import { oncePerClass } from './once-per-class.js';
import { type FieldProblem, type Path, rulesOf } from './problems.js';

const CODE = 'out_of_range';
const MESSAGE = `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** A problem with one of these codes already says that no number belongs in the field. */
const NO_NUMBER = ['unknown_field', 'read_only_field', 'invalid_type', 'invalid_enum_value'];
/** These rules check the bounds of every integer, so their own message is better. */
const BOUNDED = ['isInt64', 'isInteger'];

/**
 * Adds a problem for each integer of a body that a number does not hold and that no field took. A field takes the integer if `made`,
 * the result of class-transformer or of a schema, has its exact value. Every other value in its place was made of a rounded number.
 * `given` is the body, or a part of it.
 */
export function withUntakenIntegers(found: FieldProblem[], given: unknown, made: unknown): FieldProblem[] {
  if (isRounded(given)) return [{ path: [], code: CODE, message: MESSAGE }];
  const integers = exactIntegersIn(given);
  // A body of which nothing was made has other problems.
  if (integers.length === 0 || made === undefined) return found;
  const untaken = integers
    .map(({ path, exact }) => ({ exact, ...placeIn(made, path) }))
    .filter(({ exact, value }) => value !== exact);

  const withoutNumber = keysOf(found.filter(({ code }) => NO_NUMBER.includes(code)));
  const withProblem = keysOf(found);
  const reported = untaken.filter(({ path, isBounded }) => {
    const suffices = isBounded ? withProblem : withoutNumber;
    return !keysTo(path).some((key) => suffices.has(key));
  });
  // A rule for the items of a list reports the list, and not the index.
  const replaced = new Set(reported.flatMap(({ path }) => keysTo(path)));
  return [
    ...reported.map(({ path }): FieldProblem => ({ path, code: CODE, message: MESSAGE })),
    ...found.filter(({ path }) => !replaced.has(keyOf(path))),
  ];
}

/** A body, or a part of it, that is only a number is in no object or array that has its exact value. */
const isRounded = (given: unknown) => Number.isInteger(given) && !Number.isSafeInteger(given);

const keyOf = (path: Path) => JSON.stringify(path);
const keysOf = (problems: FieldProblem[]) => new Set(problems.map(({ path }) => keyOf(path)));
/** The keys of a path and of all paths that lead to it. */
const keysTo = (path: Path) => path.map((_, i) => keyOf(path.slice(0, i + 1)));

interface Place {
  readonly value: unknown;
  /** The path with the names of the fields in their classes, as class-validator reports them. */
  readonly path: Path;
  /** Whether the rules of the field check the bounds of every integer. */
  readonly isBounded: boolean;
}

/** Follows a path of the body in what was made of the body. */
function placeIn(made: unknown, pathInJson: Path): Place {
  const path: string[] = [];
  let value = made;
  let isBounded = false;
  for (const name of pathInJson) {
    const dto = classOf(value);
    const field = (dto && fieldsByNameInJson(dto).get(name)) ?? name;
    const rules = dto && rulesOf(dto).get(field);
    if (rules) isBounded = rules.some((rule) => BOUNDED.includes(rule.name ?? ''));
    path.push(field);
    value = memberOf(value, field);
  }
  return { value, path, isBounded };
}

function memberOf(value: unknown, name: string): unknown {
  if (value instanceof Map) return value.get(name);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** The class of an object that class-transformer made. A class without rules of class-validator has no fields here. */
function classOf(value: unknown): Function | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return (Object.getPrototypeOf(value) as object | null)?.constructor;
}

/** The fields of a class by their names in JSON. */
const fieldsByNameInJson = oncePerClass(
  (dto): ReadonlyMap<string, string> =>
    new Map([...rulesOf(dto).keys()].map((field) => [nameInJson(dto.prototype as object, field), field])),
);
