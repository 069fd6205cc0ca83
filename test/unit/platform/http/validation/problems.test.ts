import * as classValidator from 'class-validator';
import { describe, expect, it } from 'vitest';
import { codeOf, isKnownRule } from '../../../../../src/platform/http/validation/problems.js';

/** The names of class-validator's rules, which the package exports as strings. */
const RULES = Object.values(classValidator).filter((name) => typeof name === 'string');

describe("each of class-validator's rules", () => {
  it('is known', () => {
    expect(RULES.length).toBeGreaterThan(80);
    for (const rule of RULES) expect(isKnownRule(rule), rule).toBe(true);
  });

  it.each([
    ['isString', 'invalid_type'],
    ['isInt', 'invalid_type'],
    ['isDefined', 'required'],
    ['min', 'out_of_range'],
    ['maxDate', 'out_of_range'],
    ['minLength', 'too_short'],
    ['maxLength', 'too_long'],
    ['arrayMaxSize', 'too_long'],
    ['isIn', 'invalid_enum_value'],
    ['isEnum', 'invalid_enum_value'],
    ['isNotEmpty', 'blank'],
    ['isIso8601', 'invalid_format'],
    ['isEmail', 'invalid_format'],
    ['matches', 'invalid_format'],
    ['isUuid', 'invalid_format'],
    ['equals', 'invalid_value'],
  ])('has a code: %s is %s', (rule, code) => expect(codeOf(rule, 'x')).toBe(code));
});

describe('a rule of a module', () => {
  it('has a code that says no more than that', () =>
    expect(codeOf('isMicrochip', 'x')).toBe('invalid_value'));
});
