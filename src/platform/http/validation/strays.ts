import { ValidationTypes } from 'class-validator';
import { type FieldProblem, knownFields, type Path, rulesOf, unknownName } from './problems.js';

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);

const classOf = (value: unknown): Function =>
  (Object.getPrototypeOf(Object(value)) as object | null)?.constructor ?? Object;

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : value);

/** Names that code may take for what every object has; Nest drops such members. */
const RESERVED = ['__proto__', 'constructor', 'prototype'];

/** The paths of members with reserved names, at any depth. */
export function reservedMembers(given: unknown, path: Path = []): Path[] {
  if (!isObject(given)) return [];
  return Object.entries(given).flatMap(([name, member]) => {
    const at = [...path, name];
    return RESERVED.includes(name) ? [at] : reservedMembers(member, at);
  });
}

/** The problem of a reserved member of what was made into `made`. */
export function reservedProblem(path: Path, made: unknown): FieldProblem {
  const known = knownFields(classOf(path.slice(0, -1).reduce(memberOf, made)));
  const message = known.length > 0 ? unknownName(path.at(-1)!, known) : 'is a name that no member may have';
  return { path, code: 'unknown_field', message };
}

const SAFE_RANGE = `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
const isBigInt = (value: unknown) => typeof value === 'bigint';

/** What class-validator does not see, or does not say as clients understand it, in what class-transformer made of `given`. */
export function straysOf(given: unknown, made: unknown, path: Path = []): FieldProblem[] {
  // One that a `@Transform` makes of a text or a number is what its author wants.
  if (isBigInt(made))
    return given === undefined || isBigInt(given)
      ? [{ path, code: 'out_of_range', message: SAFE_RANGE }]
      : [];
  if (!isObject(made)) return [];
  if (!Array.isArray(made) && !(made instanceof Map)) return straysOfMembers(given, made, path);
  return [...made.entries()].flatMap(([key, item]: [unknown, unknown]) =>
    straysOf(memberOf(given, String(key)), item, [...path, String(key)]),
  );
}

/** Declared types that do not tell whether a value is an array. */
const OPEN: readonly unknown[] = [undefined, Object, Map, Set];

function straysOfMembers(given: unknown, made: Members, path: Path): FieldProblem[] {
  const isPlain = classOf(made) === Object;
  const rules = isPlain ? [] : rulesOf(classOf(made));
  // Of another package, made by a `@Transform`.
  if (!isPlain && rules.length === 0) return [];
  const rulesFor = (field: string, rule?: string) =>
    rules.filter(
      ({ propertyName, type, name }) => propertyName === field && [undefined, type, name].includes(rule),
    );
  const problems: FieldProblem[] = [];
  const add = (name: string, code: FieldProblem['code'], message: string) =>
    problems.push({ path: [...path, name], code, message });
  // class-transformer passes over names that the class has itself, such as those of its methods.
  for (const name of isObject(given) ? Object.keys(given) : [])
    if (name in made && !Object.hasOwn(made, name) && rulesFor(name).length === 0)
      add(name, 'unknown_field', unknownName(name, knownFields(classOf(made))));
  for (const { propertyName: name } of rules.filter(
    ({ type }) => type === ValidationTypes.NESTED_VALIDATION,
  )) {
    const value = made[name];
    const declared: unknown = Reflect.getMetadata('design:type', made, name);
    const isSkipped = rulesFor(name, ValidationTypes.CONDITIONAL_VALIDATION).some(
      ({ constraints: [holds] }: { constraints: Condition[] }) => !holds!(made, value),
    );
    if (value === undefined && !isSkipped) add(name, 'required', 'is required');
    if (isObject(value) && !OPEN.includes(declared) && Array.isArray(value) !== (declared === Array))
      add(name, 'invalid_type', declared === Array ? 'must be an array' : 'must be an object');
  }
  const wrong = problems.map(({ path: at }) => at.at(-1));
  // What was not sent is not there. The last first: V8 then keeps the object fast.
  for (const name of Object.keys(made).reverse()) if (made[name] === undefined) delete made[name];
  for (const [name, value] of Object.entries(made)) {
    if (wrong.includes(name) || rulesFor(name, 'isInt64').length > 0) continue;
    const sent = memberOf(given, name);
    // Rules with `each` know no index.
    const large = !isPlain && Array.isArray(value) && Array.isArray(sent) ? sent.find(isBigInt) : undefined;
    problems.push(...straysOf(large ?? sent, large ?? value, [...path, name]));
  }
  return problems;
}

type Condition = (made: object, value: unknown) => boolean;
