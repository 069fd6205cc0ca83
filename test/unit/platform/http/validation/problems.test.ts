import * as classValidator from 'class-validator';
import { describe, expect, it } from 'vitest';
import { codeOf, fieldProblems, IsInt64, isKnownRule, knownFields } from '../../../../support/rooms/http.js';
import { ReadOnly } from '../../../../../src/platform/http/index.js';
import type { DtoClass } from '../../../../../tools/openapi/dto-metadata.js';
import { judged, parsed } from '../../../../support/http/judged.js';

const { Allow, IsArray, IsDivisibleBy, IsIn, IsInt, IsNegative, IsNumber, IsPositive, IsString } =
  classValidator;
const { Max, MaxLength, Min, ValidateBy, ValidateNested } = classValidator;

/** The names of class-validator's rules, which the package exports as strings. */
const RULES = Object.values(classValidator).filter((name) => typeof name === 'string');

describe("each of class-validator's rules", () => {
  it('is in the list of known rules', () => {
    expect(RULES.length).toBeGreaterThan(80);
    for (const rule of RULES) expect(isKnownRule(rule), rule).toBe(true);
  });

  it.each([
    ['invalid_type', ['isString', 'isInt']],
    ['required', ['isDefined']],
    ['out_of_range', ['min', 'maxDate']],
    ['too_short', ['minLength']],
    ['too_long', ['maxLength', 'arrayMaxSize']],
    ['invalid_enum_value', ['isIn', 'isEnum']],
    ['blank', ['isNotEmpty']],
    ['invalid_format', ['isIso8601', 'isEmail', 'matches', 'isUuid']],
    ['invalid_value', ['equals']],
  ])('has an error code: %s for %s', (code, rules) => {
    for (const rule of rules) expect([rule, codeOf(rule, ['x'])]).toEqual([rule, code]);
  });
});

it('an instant that is not text, in a list of texts, has the wrong type', () => {
  expect(codeOf('isInstant', ['x', 'y'])).toBe('invalid_format');
  expect(codeOf('isInstant', ['x', 7])).toBe('invalid_type');
});

describe('a rule of a module', () => {
  it('has the code invalid_value', () => expect(codeOf('isMicrochip', ['x'])).toBe('invalid_value'));

  it('is not in the list of known rules', () => expect(isKnownRule('isMicrochip')).toBe(false));
});

const IsMicrochip = () =>
  ValidateBy({
    name: 'isMicrochip',
    validator: { validate: () => false, defaultMessage: () => '$property is no microchip' },
  });
const IsAOrB = () => IsIn(['a', 'b'], { message: '$property must be a or b' });
const [large, small] = [2n ** 60n, -(2n ** 60n)];
const RANGE = 'out_of_range must be from -9007199254740991 to 9007199254740991';
const TEXTS = IsString({ each: true });
const SOME = IsInt64({ min: 1, max: 2n ** 61n, each: true });

describe('a problem of a value', () => {
  it.each<[string, unknown, PropertyDecorator[], string[]]>([
    ['absent', undefined, [IsString(), IsMicrochip()], ['required is required']],
    ['absent, with rules of a module alone', undefined, [IsMicrochip()], ['invalid_value is no microchip']],
    ['not a list', 7, [IsArray(), TEXTS], ['invalid_type must be an array']],
    ['not a list, by the second rule', 7, [TEXTS, IsArray()], ['invalid_type must be an array']],
    ['in a list', ['x', 7], [IsArray(), TEXTS], ['invalid_type each value must be a string']],
    // Integers that a number cannot hold.
    ['a large integer', large, [IsInt()], [RANGE]],
    ['a small number in bounds', small, [IsNumber(), Min(0), Max(9)], [RANGE]],
    ['a large positive number', large, [IsPositive()], [RANGE]],
    ['a large multiple', large, [IsDivisibleBy(4)], [RANGE]],
    ['large, and may be anything', large, [Allow()], [RANGE]],
    ['large among integers', [7, large], [IsInt({ each: true }), Min(3, { each: true })], [RANGE]],
    ['large among several things', [7, large], [Allow()], [RANGE]],
    ['large in place of a text', large, [IsString()], ['invalid_type must be a string']],
    ['large in place of a word', large, [IsAOrB()], ['invalid_enum_value must be a or b']],
    ['large where it may be', [large, 1], [SOME], []],
    [
      'below its bound',
      [large, 0],
      [SOME],
      ['out_of_range each value must be from 1 to 2305843009213693952'],
    ],
    ['a text among them', [large, '1'], [SOME], ['invalid_type each value must be an integer']],
    ['0, which is not negative', 0, [IsNegative()], ['out_of_range must be a negative number']],
    ['0, which is not positive', 0, [IsPositive()], ['out_of_range must be a positive number']],
    ['an empty list instead of a word', [], [IsAOrB()], ['invalid_enum_value must be a or b']],
    ['an empty list instead of a number', [], [Max(9)], ['out_of_range must not be greater than 9']],
    ['a list of a number', [3], [Max(9)], ['out_of_range must not be greater than 9']],
    [
      'with a message that loses only its last full stop',
      'xxx',
      [MaxLength(2, { message: '$property must weigh 1.5 kg at most.' })],
      ['too_long must weigh 1.5 kg at most'],
    ],
    ['with its own message', 'xxx', [MaxLength(2, { message: 'Too long!' })], ['too_long Too long!']],
  ])('is reported once: %s', async (_, value, rules, told) => {
    class Form {}
    for (const rule of rules) rule(Form.prototype, 'field');
    const { problems } = await judged(Form as DtoClass, parsed({ field: value }));
    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual(told);
  });

  it('is found at any depth of a value without rules of its own', async () => {
    class Note {
      @Allow()
      facts!: object;
    }
    const facts = { seen: [{ times: large }, small] };
    expect(
      (await judged(Note, parsed({ facts }))).problems.map(({ path, code }) => [path.join('/'), code]),
    ).toEqual([
      ['facts/seen/0/times', 'out_of_range'],
      ['facts/seen/1', 'out_of_range'],
    ]);
  });

  it('is also found in an error without nested errors', () => {
    const errors = [{ property: 'name', value: 7, constraints: { isString: 'name must be a string' } }];
    expect(fieldProblems(errors)).toEqual([
      { path: ['name'], code: 'invalid_type', message: 'must be a string' },
    ]);
  });
});

class Dose {
  @IsInt()
  amount!: number;
}

class Visit {
  @IsString()
  note!: string;
}

class Vaccination extends Visit {
  @ValidateNested()
  dose!: Dose;

  @ReadOnly()
  id?: never;

  unjudged?: string;
}

describe('the metadata of class-validator, which are exported but not documented,', () => {
  it('list the fields of a class that have rules, also of its base class', () => {
    expect(knownFields(Vaccination)).toEqual(['dose', 'note']);
    expect(knownFields(Visit)).toEqual(['note']);
  });
});
