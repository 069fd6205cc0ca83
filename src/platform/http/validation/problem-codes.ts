import * as classValidator from 'class-validator';
import type { ProblemCode } from '../../../kernel/domain-error.js';
import { isInteger } from './rules.js';

type CodeOf = ProblemCode | ((value: unknown) => ProblemCode);

/** An integer that no number holds is no wrong type: it is too large. */
const integer: CodeOf = (value) => (isInteger(value) ? 'out_of_range' : 'invalid_type');

const TYPES = ['isString', 'isBoolean', 'isArray', 'isObject', 'isDate', 'isInstance', 'nestedValidation'];
const RANGES = ['min', 'max', 'minDate', 'maxDate', 'isPositive', 'isNegative', 'isLength'];
const VALUES = [
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
];

const each = (rules: readonly string[], code: CodeOf) => rules.map((rule): [string, CodeOf] => [rule, code]);

const CODES: ReadonlyMap<string, CodeOf> = new Map<string, CodeOf>([
  ...each(TYPES, 'invalid_type'),
  ...each(RANGES, 'out_of_range'),
  ...each(VALUES, 'invalid_value'),
  ...each(['isInt', 'isNumber', 'isInt64'], integer),
  ...each(['minLength', 'arrayMinSize', 'arrayNotEmpty'], 'too_short'),
  ...each(['maxLength', 'arrayMaxSize'], 'too_long'),
  ...each(['isIn', 'isEnum'], 'invalid_enum_value'),
  ['isDefined', 'required'],
  ['isNotEmpty', 'blank'],
  ['isReadOnly', 'read_only_field'],
  ['whitelistValidation', 'unknown_field'],
]);

/** The names of class-validator's rules: it exports each. */
const ITS_RULES: ReadonlySet<unknown> = new Set(
  Object.values(classValidator).filter((name) => typeof name === 'string'),
);

/** Whether a rule is class-validator's or the platform's, and not a module's own. */
export const isKnownRule = (rule: string): boolean => CODES.has(rule) || ITS_RULES.has(rule);

/** The problem code of a rule that a value breaks. What class-validator has besides those above are formats. */
export function codeOf(rule: string, value: unknown): ProblemCode {
  const code = CODES.get(rule) ?? (ITS_RULES.has(rule) ? 'invalid_format' : 'invalid_value');
  return typeof code === 'function' ? code(value) : code;
}
