import type { ValidationError } from '@nestjs/common';
import * as classValidator from 'class-validator';
import { closest, distance } from 'fastest-levenshtein';
import type { ProblemCode } from '../../../kernel/domain-error.js';
import { shownName } from '../../json/shown-name.js';
import { isInteger } from './own-rules.js';

export type Path = readonly string[];

/** A problem of a field, which may be nested: `path` leads to it. */
export interface FieldProblem {
  readonly path: Path;
  readonly code: ProblemCode;
  /** An English clause that follows the name of the field. */
  readonly message: string;
}

const OF_NUMBERS = ['isInt', 'isNumber', 'isInt64'];

/**
 * The rules of each problem code, besides one that has its name. Other rules of class-validator are formats; those of modules
 * are `invalid_value`.
 */
const RULES: Partial<Record<ProblemCode, string>> = {
  required: 'isDefined',
  unknown_field: 'whitelistValidation',
  blank: 'isNotEmpty',
  control_character: '',
  malformed_text: '',
  read_only_field: 'isReadOnly',
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
    [code, ...rules.split(' ')].map((rule) => [rule, code as ProblemCode] as const),
  ),
);
/** The names of class-validator's rules, all of which it exports. */
const ITS_RULES: ReadonlySet<unknown> = new Set(
  Object.values(classValidator).filter((name) => typeof name === 'string'),
);

/** Whether a rule belongs to class-validator or to the platform, and not to a module. */
export const isKnownRule = (rule: string): boolean => CODES.has(rule) || ITS_RULES.has(rule);

/** The problem code of a rule that a value violates, or one of several values. */
export function codeOf(rule: string, ...values: unknown[]): ProblemCode {
  if (rule === 'isInstant' && values.every((value) => typeof value === 'string')) return 'invalid_format';
  // An integer beyond the range of numbers has the right type, but is too large.
  if (OF_NUMBERS.includes(rule) && values.every(isInteger)) return 'out_of_range';
  return CODES.get(rule) ?? (ITS_RULES.has(rule) ? 'invalid_format' : 'invalid_value');
}

/** The problems that class-validator found, including those of nested objects. */
export function fieldProblems(errors: readonly ValidationError[], path: Path = []): FieldProblem[] {
  return errors.flatMap((error) => {
    const at = [...path, error.property];
    const own = relevant(error).map(({ code, message }) => ({ path: at, code, message }));
    return [...own, ...fieldProblems(error.children ?? [], at)];
  });
}

/** An absent value is only `required`, and a value of the wrong type has no other problem. */
function relevant({
  property,
  value,
  target,
  constraints = {},
}: ValidationError): Omit<FieldProblem, 'path'>[] {
  const all = Object.entries(constraints).map(([rule, message]) => ({
    rule,
    code: codeOf(rule, ...(message.startsWith(EACH) && Array.isArray(value) ? value : [value])),
    message: clauseOf(property, message),
  }));
  if (all.some(({ code }) => code === 'unknown_field'))
    // A field that the class declares without a rule, which nobody sent, is no mistake of the client.
    return value === undefined
      ? []
      : [{ code: 'unknown_field', message: unknownName(property, knownFields(target!.constructor)) }];
  if (value === undefined && all.some(({ rule }) => isKnownRule(rule)))
    return [{ code: 'required', message: 'is required' }];
  const mistyped = all.filter(({ code }) => code === 'invalid_type');
  if (mistyped.length > 0) return [mistyped.find(({ rule }) => rule === 'isArray') ?? mistyped[0]!];
  return all.filter(({ message }, i) => all.findIndex((other) => other.message === message) === i);
}

const EACH = 'each value in ';
const NESTED = /must be either object or array$/;

/** class-validator's messages begin with the name of the field, which our problems contain separately. */
function clauseOf(property: string, message: string): string {
  const prefix = message.startsWith(EACH) ? 'each value ' : '';
  let clause = prefix === '' ? message : message.slice(EACH.length);
  if (clause.startsWith(`${property} `)) clause = clause.slice(property.length + 1);
  return NESTED.test(clause) ? 'must be an object' : prefix + clause.replace(/\.$/, '');
}

/** The rules of a class. class-validator exports its storage for tools; Nest's pipe reads it, too. */
export const rulesOf = (dto: Function) =>
  classValidator.getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);

/** The fields that a client may send, in alphabetical order. */
export function knownFields(dto: Function): string[] {
  const readOnly = rulesOf(dto).flatMap(({ name, propertyName }) =>
    name === 'isReadOnly' ? propertyName : [],
  );
  const names = new Set(rulesOf(dto).map(({ propertyName }) => propertyName));
  return [...names].filter((name) => !readOnly.includes(name)).toSorted();
}

/** The message for an unknown name: the likely intended one, or the list of known names. */
export function unknownName(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not known; none is';
  const field = shownName(name);
  const nearest = closest(field, [...known]);
  const isTypo = distance(field, nearest) <= Math.max(1, nearest.length / 3);
  return `is not known; ${isTypo ? `did you mean ${nearest}` : `known are ${known.join(', ')}`}`;
}
