import * as classValidator from 'class-validator';
import { describe, expect, it } from 'vitest';
import { IsInt64 } from '../../../../../src/platform/http/validation/dto.decorators.js';
import type { DtoClass } from '../../../../../src/platform/http/validation/dto-shape.js';
import {
  codeOf,
  fieldProblems,
  isKnownRule,
  unknownName,
} from '../../../../../src/platform/http/validation/problems.js';
import { validateBodySync } from '../../../../../src/platform/http/validation/validate-dto.js';

const { IsArray, IsDivisibleBy, IsIn, IsInt, IsNegative, IsNumber, IsPositive, IsString } = classValidator;
const { Max, MaxLength, Min, ValidateBy } = classValidator;

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

  it('is not known', () => expect(isKnownRule('isMicrochip')).toBe(false));
});

/** What is wrong with the value of a field that has these rules. */
function problemsOf(value: unknown, ...rules: PropertyDecorator[]): string[] {
  class Form {}
  for (const rule of rules) rule(Form.prototype, 'field');
  return validateBodySync<object>(Form as DtoClass, { field: value }).problems.map(
    ({ code, message }) => `${code} ${message}`,
  );
}

describe('an absent value', () => {
  const IsMicrochip = () =>
    ValidateBy({
      name: 'isMicrochip',
      validator: { validate: () => false, defaultMessage: () => '$property is no microchip' },
    });

  it('is only required, whatever the rules of a module say of it', () => {
    expect(problemsOf(undefined, IsString(), IsMicrochip())).toEqual(['required is required']);
  });

  it('is left to the rules of a module where there are no others', () => {
    expect(problemsOf(undefined, IsMicrochip())).toEqual(['invalid_value is no microchip']);
  });
});

describe('a value in place of a list', () => {
  it.each([
    [IsArray(), IsString({ each: true })],
    [IsString({ each: true }), IsArray()],
  ])('must be a list, whichever rule comes first', (...rules) => {
    expect(problemsOf(7, ...rules)).toEqual(['invalid_type must be an array']);
  });

  it('is told of each value when it is one', () => {
    expect(problemsOf(['x', 7], IsArray(), IsString({ each: true }))).toEqual([
      'invalid_type each value must be a string',
    ]);
  });
});

describe('a bigint', () => {
  const [large, small] = [2n ** 60n, -(2n ** 60n)];
  it.each<[bigint, PropertyDecorator, string[]]>([
    [large, Min(1), []],
    [large, IsPositive(), []],
    [large, Max(9), ['out_of_range must not be greater than 9']],
    [large, IsNegative(), ['out_of_range must be a negative number']],
    [small, Max(9), []],
    [small, IsNegative(), []],
    [small, Min(1), ['out_of_range must not be less than 1']],
    [small, IsPositive(), ['out_of_range must be a positive number']],
    [0n, Min(1), ['out_of_range must not be less than 1']],
    // Small ones come of fields that are declared so.
    [5n, Min(5), []],
    [5n, Min(10), ['out_of_range must not be less than 10']],
    [5n, Max(5), []],
    [5n, Max(4), ['out_of_range must not be greater than 4']],
    [1n, IsPositive(), []],
    [0n, IsPositive(), ['out_of_range must be a positive number']],
    [0n, IsNegative(), ['out_of_range must be a negative number']],
    [-1n, IsNegative(), []],
    [5n, IsInt(), []],
    [5n, IsNumber(), []],
    [5n, IsDivisibleBy(5), ['invalid_value must be divisible by 5']],
  ])('is %s beside a rule for numbers', (value, rule, problems) => {
    expect(problemsOf(value, IsInt64(), rule)).toEqual(problems);
  });

  it('is held against the bounds among others of a list, too', () => {
    const rules = [IsInt64({ each: true }), Min(3, { each: true }), Max(9, { each: true })];
    expect(problemsOf([7n, 3, 9n], ...rules)).toEqual([]);
    expect(problemsOf([7n, 2], ...rules)).toEqual(['out_of_range each value must not be less than 3']);
    expect(problemsOf([large, 7], ...rules)).toEqual(['out_of_range each value must not be greater than 9']);
    expect(problemsOf([7n, '7'], Min(3, { each: true }))).toEqual([
      'out_of_range each value must not be less than 3',
    ]);
  });

  it.each([[large], [small]])('is out of the range of numbers as %s', (value) => {
    expect(problemsOf(value, IsInt())).toEqual([
      'out_of_range must be from -9007199254740991 to 9007199254740991',
    ]);
  });
});

describe('a number', () => {
  it('is neither negative nor positive as 0', () => {
    expect(problemsOf(0, IsNegative())).toEqual(['out_of_range must be a negative number']);
    expect(problemsOf(0, IsPositive())).toEqual(['out_of_range must be a positive number']);
  });
});

describe('an empty list', () => {
  it('is no word and no number', () => {
    expect(problemsOf([], IsIn(['a', 'b'], { message: '$property must be a or b' }))).toEqual([
      'invalid_enum_value must be a or b',
    ]);
    expect(problemsOf([], Max(9))).toEqual(['out_of_range must not be greater than 9']);
    expect(problemsOf([3], Max(9))).toEqual(['out_of_range must not be greater than 9']);
  });
});

describe('the message of a rule', () => {
  it('follows the name of the field, without its last full stop only', () => {
    const message = '$property must weigh 1.5 kg at most.';
    expect(problemsOf('xxx', MaxLength(2, { message }))).toEqual(['too_long must weigh 1.5 kg at most']);
  });

  it('is kept as it is if it does not begin with that name', () => {
    expect(problemsOf('xxx', MaxLength(2, { message: 'Too long!' }))).toEqual(['too_long Too long!']);
  });

  it('is the only one of an error without others below it', () => {
    const errors = [{ property: 'name', constraints: { isString: 'name must be a string' } }];
    expect(fieldProblems(errors, { name: 7 }, ['pet'])).toEqual([
      { path: ['pet', 'name'], code: 'invalid_type', message: 'must be a string' },
    ]);
  });
});

describe('an unknown name', () => {
  it('is told that there are no others where none is known', () => {
    expect(unknownName('name', [])).toBe('is not known; none is');
  });
});
