import type { ValidationError } from '@nestjs/common';
import * as classValidator from 'class-validator';
import { closest, distance } from 'fastest-levenshtein';
import type { ProblemCode } from '../../../kernel/domain-error.js';
import { type TextBounds, textProblems } from '../../../kernel/text.js';
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

/** The rules of each problem code. Other rules of class-validator are formats; those of modules are `invalid_value`. */
const RULES: Partial<Record<ProblemCode, string>> = {
  required: 'isDefined',
  unknown_field: 'whitelistValidation',
  blank: 'isNotEmpty',
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
    rules.split(' ').map((rule) => [rule, code as ProblemCode] as const),
  ),
);
/** class-validator exports the names of all its rules. */
const ITS_RULES: ReadonlySet<unknown> = new Set(Object.values(classValidator));

/** Whether a rule belongs to class-validator or to the platform, and not to a module. */
export const isKnownRule = (rule: string): boolean => CODES.has(rule) || ITS_RULES.has(rule);

/** The problem code of a rule that a value violates, or one of several values. */
export function codeOf(rule: string, values: readonly unknown[]): ProblemCode {
  if (rule === 'isInstant' && values.every((value) => typeof value === 'string')) return 'invalid_format';
  // An integer beyond the range of numbers has the right type, but is too large.
  if (OF_NUMBERS.includes(rule) && values.every(isInteger)) return 'out_of_range';
  return CODES.get(rule) ?? (ITS_RULES.has(rule) ? 'invalid_format' : 'invalid_value');
}

/** The problems that class-validator found, including those of nested objects. What is in a value of the wrong type has none of its own. */
export function fieldProblems(errors: readonly ValidationError[]): FieldProblem[] {
  const problems: FieldProblem[] = [];
  // One for all errors: most of those of a long list have no problem of their own.
  const at: string[] = [];
  const collect = (error: ValidationError): void => {
    at.push(error.property);
    const own = relevant(error);
    for (const { code, message } of own) problems.push({ path: [...at], code, message });
    if (!own.some(isOfWhole)) error.children?.forEach(collect);
    at.pop();
  };
  errors.forEach(collect);
  return problems;
}

/** Whether it says that a whole value has the wrong type, and not that some of its items have. */
const isOfWhole = ({ code, message }: Problem) => code === 'invalid_type' && !message.startsWith(OF_EACH);

type Problem = Omit<FieldProblem, 'path'>;

/** An absent value is only `required`, and a value of the wrong type has no other problem. */
function relevant({ property, value, target, constraints, contexts }: ValidationError): Problem[] {
  if (!constraints) return [];
  if ('whitelistValidation' in constraints) return [unknownField(property, target!.constructor)];
  if (value === undefined && Object.keys(constraints).some(isKnownRule))
    return [{ code: 'required', message: 'is required' }];
  const all = inOrder(constraints).flatMap(([rule, message]): Problem[] => {
    if (rule === 'isText' && typeof value === 'string')
      return textProblems(value, contexts!['isText'] as TextBounds);
    const values = message.startsWith(EACH) && Array.isArray(value) ? value : [value];
    return [{ code: codeOf(rule, values), message: clauseOf(property, message) }];
  });
  const mistyped = all.find(({ code }) => code === 'invalid_type');
  if (mistyped) return [mistyped];
  return all.filter(({ message }, i) => all.findIndex((other) => other.message === message) === i);
}

/** A value that is no list has none to be judged each. */
const inOrder = ({ isArray, ...others }: Record<string, string>) =>
  Object.entries({ ...(isArray !== undefined && { isArray }), ...others });

const EACH = 'each value in ';
const OF_EACH = 'each value ';
const NESTED = /must be either object or array$/;

/** class-validator's messages begin with the name of the field, which our problems contain separately. */
function clauseOf(property: string, message: string): string {
  const [each, rest] = message.startsWith(EACH) ? [OF_EACH, message.slice(EACH.length)] : ['', message];
  const clause = rest.startsWith(`${property} `) ? rest.slice(property.length + 1) : rest;
  return NESTED.test(clause) ? 'must be an object' : each + clause.replace(/\.$/, '');
}

const OF_CLASS = Symbol('rules');
type Rule = ReturnType<classValidator.MetadataStorage['getTargetValidationMetadatas']>[number];
export type Rules = readonly Rule[];

/** The rules of a class by field. The class keeps them; class-validator exports its storage for tools, and Nest's pipe reads it, too. */
export function rulesOf(dto: Function): ReadonlyMap<string, Rules> {
  const known = Reflect.getOwnMetadata(OF_CLASS, dto) as ReadonlyMap<string, Rules> | undefined;
  if (known) return known;
  const rules = new Map<string, Rule[]>();
  const storage = classValidator.getMetadataStorage();
  for (const rule of storage.getTargetValidationMetadatas(dto, '', false, false)) {
    const ofField = rules.get(rule.propertyName);
    if (ofField) ofField.push(rule);
    else rules.set(rule.propertyName, [rule]);
  }
  Reflect.defineMetadata(OF_CLASS, rules, dto);
  return rules;
}

/** The fields that a client may send, in alphabetical order. */
export function knownFields(dto: Function): string[] {
  const fields = [...rulesOf(dto)].filter(([, rules]) => rules.every(({ name }) => name !== 'isReadOnly'));
  return fields.map(([field]) => field).toSorted();
}

export const unknownField = (name: string, dto: Function): Problem => ({
  code: 'unknown_field',
  message: unknownName(name, knownFields(dto)),
});

/** The message for an unknown name: the likely intended one, or the list of known names. */
export function unknownName(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not known; none is';
  const field = shownName(name);
  const nearest = closest(field, [...known]);
  const isTypo = distance(field, nearest) <= Math.max(1, nearest.length / 3);
  return `is not known; ${isTypo ? `did you mean ${nearest}` : `known are ${known.join(', ')}`}`;
}
