import * as classValidator from 'class-validator';
import type { ValidationError } from 'class-validator';
import { closest, distance } from 'fastest-levenshtein';
import type { ProblemCode } from '../../../kernel/domain-error.js';
import { shownName } from '../../json/shown-name.js';
import { isInteger } from './dto.decorators.js';
import { argumentOf, type Dto } from './dto-shape.js';

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
  invalid_type:
    'isString isBoolean isArray isObject isDate isInstance nestedValidation isInt isNumber isInt64 isInstant isText isOpaque',
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
    const violations = Object.entries(constraints).flatMap(([rule, message]) =>
      rule === 'isText' && typeof value === 'string'
        ? (JSON.parse(message) as Violation[]).map((problem) => ({ ...problem, rule }))
        : { rule, code: codeOf(rule, value), message: clauseOf(property, message) },
    );
    const argument = (rule: string) => argumentOf(dto.constructor, property, rule);
    for (const { code, message } of relevant(violations, value, argument))
      problems.push({ path: at, code, message });
    problems.push(...fieldProblems(children, value as Dto, at));
  }
  return problems;
}

/** An absent value is only `required`, and a value of the wrong type has no other problem. */
function relevant(
  violations: Violation[],
  value: unknown,
  argument: (rule: string) => unknown,
): Omit<Violation, 'rule'>[] {
  if (value === undefined && violations.some(({ rule }) => isKnownRule(rule)))
    return [{ code: 'required', message: 'is required' }];
  const mistyped = violations.filter(({ code }) => code === 'invalid_type');
  if (mistyped.length > 0) return [mistyped.find(({ rule }) => rule === 'isArray') ?? mistyped[0]!];
  const values = [value].flat();
  const all = values.some((one) => typeof one === 'bigint')
    ? unmet(violations, values, argument)
    : violations;
  return all.filter(({ message }, i) => all.findIndex((other) => other.message === message) === i);
}

/** Whether a number of any size meets a rule for numbers. */
const MEETS: Readonly<Record<string, (value: bigint | number, argument: number) => boolean>> = {
  isInt: (value) => Number.isSafeInteger(Number(value)),
  isNumber: (value) => Number.isSafeInteger(Number(value)),
  isPositive: (value) => value > 0,
  isNegative: (value) => value < 0,
  min: (value, least) => value >= least,
  max: (value, most) => value <= most,
};

/** Without what class-validator's rules for numbers say of a bigint that meets them: they reject every one. */
function unmet(
  violations: Violation[],
  values: readonly unknown[],
  argument: (rule: string) => unknown,
): Violation[] {
  const isMet = ({ rule }: Violation) =>
    values.every((value) => isInteger(value) && MEETS[rule]?.(value, argument(rule) as number));
  const all = violations.filter((violation) => !isMet(violation));
  const others = all.filter(({ rule }) => !OF_NUMBERS.includes(rule));
  return others.length > 0 ? others : all.map((violation) => ({ ...violation, message: SAFE_RANGE }));
}

/** class-validator's messages begin with the name of the field, which our problems contain separately. */
function clauseOf(property: string, message: string): string {
  const prefix = message.startsWith(EACH) ? 'each value ' : '';
  let clause = prefix === '' ? message : message.slice(EACH.length);
  if (clause.startsWith(`${property} `)) clause = clause.slice(property.length + 1);
  return NESTED.test(clause) ? 'must be an object' : prefix + clause.replace(/\.$/, '');
}

/** The message for an unknown name: the likely intended one, or the list of known names. */
export function unknownName(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not known; none is';
  const field = shownName(name);
  const nearest = closest(field, [...known]);
  const isTypo = distance(field, nearest) <= Math.max(1, nearest.length / 3);
  return `is not known; ${isTypo ? `did you mean ${nearest}` : `known are ${known.join(', ')}`}`;
}
