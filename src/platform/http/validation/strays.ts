import { ValidationTypes } from 'class-validator';
import type { ValidationError } from '@nestjs/common';
import { ParameterTexts } from './own-rules.js';
import {
  type FieldProblem,
  fieldProblems,
  type Path,
  type Rules,
  rulesOf,
  unknownField,
} from './problems.js';

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);

/** Names that code may take for what every object has; Nest drops such members. */
const RESERVED = ['__proto__', 'constructor', 'prototype'];

/** The problems of members with reserved names, at any depth. */
export function reservedMembers(given: unknown, path: Path = []): FieldProblem[] {
  if (!isObject(given)) return [];
  return Object.entries(given).flatMap(([name, member]) => {
    const at = [...path, name];
    if (!RESERVED.includes(name)) return reservedMembers(member, at);
    return { path: at, code: 'unknown_field', message: 'is a name that no member may have' };
  });
}

/** Problems that say already that no number belongs there. */
const OF_KIND = ['unknown_field', 'read_only_field', 'invalid_type', 'invalid_enum_value'];
const covers = (outer: Path, inner: Path) => outer.every((step, i) => step === inner[i]);

/** Each null in a list, at any depth. */
export function nullItems(given: unknown, path: Path = []): FieldProblem[] {
  if (!isObject(given)) return [];
  return Object.entries(given).flatMap(([name, member]) => {
    const at = [...path, name];
    if (member !== null || !Array.isArray(given)) return nullItems(member, at);
    return { path: at, code: 'invalid_type', message: 'must be an object' };
  });
}

/** All problems of what was made of `given`: what class-validator found, and what it does not see. */
export function problemsOf(given: unknown, made: unknown, errors: ValidationError[] = []): FieldProblem[] {
  const found = fieldProblems(errors);
  const isOfKind = (path: Path) => found.some((one) => OF_KIND.includes(one.code) && covers(one.path, path));
  const strays = straysOf(given, made).filter(
    ({ code, path }) => code !== LARGE || !(given instanceof ParameterTexts || isOfKind(path)),
  );
  // The rules of a list know no index.
  const isTold = ({ path }: FieldProblem) =>
    strays.some((stray) => covers(stray.path, path) || (stray.code === LARGE && covers(path, stray.path)));
  return [...strays, ...found.filter((one) => !isTold(one))];
}

const LARGE = 'out_of_range';
const SAFE_RANGE = `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

function straysOf(given: unknown, made: unknown, path: Path = []): FieldProblem[] {
  if (made instanceof Map) return straysOf(given, Object.fromEntries(made), path);
  if (Array.isArray(made)) return straysOf(given, { ...made }, path);
  // One that a `@Transform` makes of a text or a number is what its author wants.
  if (typeof made === 'bigint' && ['bigint', 'undefined'].includes(typeof given))
    return [{ path, code: LARGE, message: SAFE_RANGE }];
  if (!isObject(made)) return [];
  const dto = (Object.getPrototypeOf(made) as object | null)?.constructor ?? Object;
  const rules = rulesOf(dto);
  // Of another package, made by a `@Transform`.
  if (rules.size === 0 && dto !== Object) return [];
  // class-transformer passes over names that the class has itself, such as those of its methods.
  const isLost = (name: string) => name in made && !Object.hasOwn(made, name) && !rules.has(name);
  const lost = isObject(given) ? Object.keys(given).filter(isLost) : [];
  const problems = lost.map((name): FieldProblem => ({ path: [...path, name], ...unknownField(name, dto) }));
  for (const [name, ofField] of rules) problems.push(...shapeProblems(given, made, name, ofField, path));
  const wrong = problems.map(({ path: at }) => at.at(-1));
  const isWhole = (name: string) =>
    wrong.includes(name) || rules.get(name)?.some((rule) => rule.name === 'isInt64');
  for (const [name, value] of Object.entries(made))
    if (!isWhole(name))
      problems.push(...straysOf(isObject(given) ? given[name] : given, value, [...path, name]));
  return problems;
}

/** Declared types that do not tell whether a value is an array. */
const OPEN: readonly unknown[] = [undefined, Object, Map, Set];

/** What is wrong with a nested object, or with a list, as a whole; class-validator takes none, and one for the other. */
function shapeProblems(
  given: unknown,
  made: Members,
  name: string,
  rules: Rules,
  outer: Path,
): FieldProblem[] {
  const isNested = rules.some(({ type }) => type === ValidationTypes.NESTED_VALIDATION);
  const hasEach = rules.some(({ each }) => each);
  if (!isNested && !hasEach) return [];
  const [value, path] = [made[name], [...outer, name]];
  const declared: unknown = Reflect.getMetadata('design:type', made, name);
  const problem = (isList: boolean, at = path): FieldProblem => ({
    path: at,
    code: 'invalid_type',
    message: isList ? 'must be an array' : 'must be an object',
  });
  const conditions = rules.filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);
  const isAsked = conditions.every(({ constraints: [holds] }) => (holds as Condition)(made, value));
  if (!isNested) {
    // A parameter that is given once is a text, also where it may be given several times.
    const isItems = declared === Array && !(given instanceof ParameterTexts);
    const isList = value === undefined || value === null || Array.isArray(value);
    return isItems && isAsked && !isList ? [problem(true)] : [];
  }
  if (value === undefined && isAsked) return [{ path, code: 'required', message: 'is required' }];
  // Of several classes: TypeScript writes down neither, nor whether it is a list.
  const isOne = declared === Object && !hasEach;
  if (Array.isArray(value) && isOne) return [problem(false)];
  if (!isObject(value) || OPEN.includes(declared)) return [];
  if (!Array.isArray(value)) return declared === Array ? [problem(true)] : [];
  if (declared !== Array) return [problem(false)];
  return value.flatMap((item, i) =>
    item === null || Array.isArray(item) ? [problem(false, [...path, String(i)])] : [],
  );
}

type Condition = (made: object, value: unknown) => boolean;
