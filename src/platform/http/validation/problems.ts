import { DECORATORS } from '@nestjs/swagger';
import * as classValidator from 'class-validator';
import type { ValidationError } from 'class-validator';
import { closest, distance } from 'fastest-levenshtein';
import type { ProblemCode } from '../../../kernel/domain-error.js';
import { shownName } from '../../json/shown-name.js';
import { isInteger, isReadOnly } from './dto.decorators.js';
import { fieldsWithRules } from './rules.js';

export type Dto = object;
export type DtoClass<Type extends Dto = Dto> = new () => Type;

/** A problem of a field, which may be nested: `path` leads to it. */
export interface FieldProblem {
  readonly path: readonly string[];
  readonly code: ProblemCode;
  /** An English clause that follows the name of the field. */
  readonly message: string;
}

const OF_NUMBERS = ['isInt', 'isNumber'];

/** The rules of each problem code. Other rules of class-validator are formats; those of modules are `invalid_value`. */
const RULES: Partial<Record<ProblemCode, string>> = {
  required: 'isDefined',
  blank: 'isNotEmpty',
  read_only_field: 'isReadOnly',
  unknown_field: 'whitelistValidation',
  invalid_type:
    'isString isBoolean isArray isObject isDate isInstance nestedValidation isInt isNumber isInt64 isInstant isText',
  out_of_range: 'min max minDate maxDate isPositive isNegative isLength',
  too_short: 'minLength arrayMinSize arrayNotEmpty',
  too_long: 'maxLength arrayMaxSize',
  invalid_enum_value: 'isIn isEnum',
  invalid_value:
    'equals notEquals isEmpty isNotIn isNotEmptyObject isDivisibleBy contains notContains arrayContains ' +
    'arrayNotContains arrayUnique',
};
const CODES: ReadonlyMap<string, ProblemCode> = new Map(
  Object.entries(RULES).flatMap(([code, rules]) =>
    rules.split(' ').map((rule) => [rule, code as ProblemCode] as const),
  ),
);
/** The names of class-validator's rules, all of which it exports. */
const ITS_RULES: ReadonlySet<unknown> = new Set(
  Object.values(classValidator).filter((name) => typeof name === 'string'),
);

/** Whether a rule belongs to class-validator or to the platform, and not to a module. */
export const isKnownRule = (rule: string): boolean => CODES.has(rule) || ITS_RULES.has(rule);

/** The problem code of a rule that a value violates. */
export function codeOf(rule: string, value: unknown): ProblemCode {
  if (rule === 'isInstant' && typeof value === 'string') return 'invalid_format';
  // An integer beyond the range of numbers has the right type, but is too large.
  if ((rule === 'isInt64' || OF_NUMBERS.includes(rule)) && isInteger(value)) return 'out_of_range';
  return CODES.get(rule) ?? (ITS_RULES.has(rule) ? 'invalid_format' : 'invalid_value');
}

/** A violated rule of a field. */
interface Violation {
  readonly rule: string;
  readonly code: ProblemCode;
  readonly message: string;
}

const EACH = 'each value in ';
const NESTED = /must be either object or array$/;
const SAFE_RANGE = `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** The problems that class-validator found, including those of nested objects. */
export function fieldProblems(
  errors: readonly ValidationError[],
  dto: Dto,
  path: readonly string[],
): FieldProblem[] {
  const values = dto as Record<string, unknown>;
  const problems: FieldProblem[] = [];
  for (const { property, constraints = {}, children = [] } of errors) {
    const value = values[property];
    const at = [...path, property];
    if ('unknownValue' in constraints) {
      const shape = dto.constructor as DtoClass;
      if (!hasRules(shape) || path.length > 0)
        throw missingRules(path.length === 0 ? shape.name : path.join('.'));
      // A class without fields: every field that was sent is unknown.
      return Object.keys(dto).map((field) => unknownField(dto, [field]));
    }
    if ('whitelistValidation' in constraints) {
      problems.push(unknownField(dto, at));
      continue;
    }
    const violations = Object.entries(constraints).flatMap(([rule, message]) =>
      rule === 'isText' && typeof value === 'string'
        ? (JSON.parse(message) as Violation[]).map((problem) => ({ ...problem, rule }))
        : { rule, code: codeOf(rule, value), message: clauseOf(property, message) },
    );
    problems.push(...relevant(violations, value).map(({ code, message }) => ({ path: at, code, message })));
    if (children.length > 0) problems.push(...fieldProblems(children, value as Dto, at));
  }
  return problems;
}

/** An absent value is only `required`, and a value of the wrong type has no other problem. */
function relevant(violations: Violation[], value: unknown): Omit<Violation, 'rule'>[] {
  if (value === undefined && violations.some(({ rule }) => isKnownRule(rule)))
    return [{ code: 'required', message: 'is required' }];
  const mistyped = violations.filter(({ code }) => code === 'invalid_type');
  if (mistyped.length > 0) return [mistyped.find(({ rule }) => rule === 'isArray') ?? mistyped[0]!];
  const all = typeof value === 'bigint' ? ofLargeInteger(violations, value) : violations;
  return all.filter(({ message }, i) => all.findIndex((other) => other.message === message) === i);
}

/** class-validator's rules for numbers reject every bigint, but a bigint is larger than any number. */
function ofLargeInteger(violations: Violation[], value: bigint): Violation[] {
  const met = value > 0n ? ['min', 'isPositive'] : ['max', 'isNegative'];
  const type = violations.find(({ rule }) => OF_NUMBERS.includes(rule));
  const rest = violations.filter(({ rule }) => !OF_NUMBERS.includes(rule) && !met.includes(rule));
  return type && rest.length === 0 ? [{ ...type, message: SAFE_RANGE }] : rest;
}

/** class-validator's messages begin with the name of the field, which our problems contain separately. */
function clauseOf(property: string, message: string): string {
  const prefix = message.startsWith(EACH) ? 'each value ' : '';
  let clause = prefix === '' ? message : message.slice(EACH.length);
  for (const subject of ['nested property ', `${property} `])
    if (clause.startsWith(subject)) clause = clause.slice(subject.length);
  return NESTED.test(clause) ? 'must be an object' : prefix + clause.replace(/\.$/, '');
}

export function unknownField(dto: Dto, path: readonly string[]): FieldProblem {
  const known = knownFields(dto.constructor as DtoClass);
  return { path, code: 'unknown_field', message: unknownName(path.at(-1)!, known) };
}

/** The message for an unknown name: the likely intended one, or the list of known names. */
export function unknownName(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not known; none is';
  const field = shownName(name);
  const nearest = closest(field, [...known]);
  const isTypo = distance(field, nearest) <= Math.max(1, nearest.length / 3);
  return `is not known; ${isTypo ? `did you mean ${nearest}` : `known are ${known.join(', ')}`}`;
}

/** The fields that a client may send: those with rules, also if they are derived with Nest's mapped types. */
function knownFields(shape: DtoClass): string[] {
  const found = knownOfClass.get(shape);
  if (found) return found;
  const fields = [...fieldsWithRules(shape)];
  const known = fields.filter((field) => !isReadOnly(shape.prototype as object, field)).sort();
  knownOfClass.set(shape, known);
  return known;
}

const knownOfClass = new WeakMap<DtoClass, string[]>();

type Documented = Readonly<Record<string, unknown>>;

/** What `@ApiProperty` says of the fields of a class. */
export function documentedFields(shape: DtoClass): ReadonlyMap<string, Documented> {
  const prototype = shape.prototype as object;
  const names = (Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, prototype) ?? []) as string[];
  return new Map(
    names.map((marked) => {
      const name = marked.slice(1);
      return [name, Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype, name) as Documented];
    }),
  );
}

/** Whether the fields of a class can be validated; true for a class without fields, which accepts none. */
export const hasRules = (shape: DtoClass): boolean =>
  fieldsWithRules(shape).size > 0 ||
  (Object.keys(new shape()).length === 0 && documentedFields(shape).size === 0);

/** A field that is in the document or has a default, but no rule: it would be rejected as unknown. Files are no fields of a body. */
export function fieldWithoutRules(shape: DtoClass): string | undefined {
  const rules = fieldsWithRules(shape);
  const documented = [...documentedFields(shape)].filter(([, { format }]) => format !== 'binary');
  const defaults = Object.entries(new shape()).filter(([, value]) => value !== undefined);
  return [...documented, ...defaults].find(([name]) => !rules.has(name))?.[0];
}

/** `what` is a class or a field. */
export const missingRules = (what: string): Error =>
  new Error(
    `${what} has no validation rules. Give its fields class-validator's decorators; ` +
      'beside @ValidateNested() say with @Type(() => Item) of class-transformer what is in it.',
  );
