import type { ValidationError } from '@nestjs/common';
import * as classValidator from 'class-validator';
import { closest, distance } from 'fastest-levenshtein';
import type { ProblemCode } from '../../../kernel/domain-error.js';
import { type TextBounds, textProblems } from '../../../kernel/text.js';
import { shownName } from '../../json/shown-name.js';
import { oncePerClass } from './once-per-class.js';
import { isInteger } from './own-rules.js';

export type Path = readonly string[];

/** A problem of a field. `path` leads to the field, which may be nested. */
export interface FieldProblem {
  readonly path: Path;
  readonly code: ProblemCode;
  /** An English clause that follows the name of the field. */
  readonly message: string;
}

const RULES_OF_NUMBERS = ['isInt', 'isInteger', 'isNumber', 'isInt64'];

/** The rules of each problem code. Other rules of class-validator are formats, and rules of modules are `invalid_value`. */
const RULES_OF_CODES: Partial<Record<ProblemCode, readonly string[]>> = {
  required: ['isDefined'],
  unknown_field: ['whitelistValidation'],
  blank: ['isNotEmpty'],
  read_only_field: ['isReadOnly'],
  invalid_type: [
    'isString',
    'isBoolean',
    'isArray',
    'isObject',
    'isDate',
    'isInstance',
    'nestedValidation',
    'isInt',
    'isInteger',
    'isNumber',
    'isInt64',
    'isInstant',
    'isText',
  ],
  out_of_range: ['min', 'max', 'minDate', 'maxDate', 'isPositive', 'isNegative', 'isLength'],
  too_short: ['minLength', 'arrayMinSize', 'arrayNotEmpty'],
  too_long: ['maxLength', 'arrayMaxSize'],
  invalid_enum_value: ['isIn', 'isEnum'],
  invalid_value: [
    'equals',
    'notEquals',
    'isEmpty',
    'isNotIn',
    'isNotEmptyObject',
    'isDivisibleBy',
    'contains',
    'notContains',
    'arrayContains',
    'arrayNotContains',
    'arrayUnique',
  ],
};
const CODES: ReadonlyMap<string, ProblemCode> = new Map(
  Object.entries(RULES_OF_CODES).flatMap(([code, rules]) =>
    rules.map((rule) => [rule, code as ProblemCode] as const),
  ),
);
/** class-validator exports the names of all its rules. */
const ITS_RULES: ReadonlySet<unknown> = new Set(Object.values(classValidator));

/** Whether a rule belongs to class-validator or to the platform, and not to a module. */
const isKnownRule = (rule: string): boolean => CODES.has(rule) || ITS_RULES.has(rule);

/** The problem code of a rule that a value violates, or one of several values. */
function codeOf(rule: string, values: readonly unknown[]): ProblemCode {
  if (rule === 'isInstant' && values.every((value) => typeof value === 'string')) return 'invalid_format';
  // An integer beyond the range of numbers has the right type, but is too large.
  if (RULES_OF_NUMBERS.includes(rule) && values.every(isInteger)) return 'out_of_range';
  return CODES.get(rule) ?? (ITS_RULES.has(rule) ? 'invalid_format' : 'invalid_value');
}

/** The problems that class-validator found, also in nested objects. Members of a value of the wrong type have no problems of their own. */
export function fieldProblems(errors: readonly ValidationError[]): FieldProblem[] {
  const problems: FieldProblem[] = [];
  // All errors share this path, because most errors of a long list have no problem of their own.
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

/** A problem without its place. */
type ProblemOfValue = Omit<FieldProblem, 'path'>;

/** Whether a whole value has the wrong type, and not only some of its items. */
const isOfWhole = ({ code, message }: ProblemOfValue) =>
  code === 'invalid_type' && !message.startsWith(OF_EACH);

/** An absent value is only `required`, and a value of the wrong type has no other problem. */
function relevant({ property, value, target, constraints, contexts }: ValidationError): ProblemOfValue[] {
  if (!constraints) return [];
  if ('whitelistValidation' in constraints) return [unknownField(property, target!.constructor)];
  if (value === undefined && Object.keys(constraints).some(isKnownRule))
    return [{ code: 'required', message: 'is required' }];
  const all = inOrder(constraints).flatMap(([rule, message]): ProblemOfValue[] => {
    if (rule === 'isText' && typeof value === 'string')
      return textProblems(value, contexts!['isText'] as TextBounds);
    const values = message.startsWith(EACH) && Array.isArray(value) ? value : [value];
    return [{ code: codeOf(rule, values), message: clauseOf(property, message) }];
  });
  const mistyped = all.find(({ code }) => code === 'invalid_type');
  if (mistyped) return [mistyped];
  return all.filter(({ message }, i) => all.findIndex((other) => other.message === message) === i);
}

/** Puts `isArray` first, because rules for each item mean nothing for a value that is not a list. */
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

type RuleMetadata = ReturnType<classValidator.MetadataStorage['getTargetValidationMetadatas']>[number];

/** The rules of a class by field. class-validator exports its storage for tools, and Nest's pipe reads the storage, too. */
export const rulesOf = oncePerClass((dto): ReadonlyMap<string, readonly RuleMetadata[]> => {
  const rules = new Map<string, RuleMetadata[]>();
  const storage = classValidator.getMetadataStorage();
  for (const rule of storage.getTargetValidationMetadatas(dto, '', false, false)) {
    const ofField = rules.get(rule.propertyName);
    if (ofField) ofField.push(rule);
    else rules.set(rule.propertyName, [rule]);
  }
  return rules;
});

/** The fields that a client may send, in alphabetical order. */
function knownFields(dto: Function): string[] {
  const fields = [...rulesOf(dto)].filter(([, rules]) => rules.every(({ name }) => name !== 'isReadOnly'));
  return fields.map(([field]) => field).toSorted();
}

export const unknownField = (name: string, dto: Function): ProblemOfValue => ({
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
