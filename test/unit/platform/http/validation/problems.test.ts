import * as classValidator from 'class-validator';
import { describe, expect, it } from 'vitest';
import { IsInt64 } from '../../../../../src/platform/http/validation/own-rules.js';
import {
  codeOf,
  fieldProblems,
  isKnownRule,
  unknownName,
  knownFields,
} from '../../../../../src/platform/http/validation/problems.js';
import type { DtoClass } from '../../../../../tools/openapi/dto-metadata.js';
import { judged } from '../../../../support/http/judged.js';
import { ReadOnly } from '../../../../../src/platform/http/validation/dto.decorators.js';

const { Allow, IsArray, IsDivisibleBy, IsIn, IsInt, IsNegative, IsNumber, IsPositive, IsString } =
  classValidator;
const { Max, MaxLength, Min, ValidateBy, ValidateNested } = classValidator;

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
async function problemsOf(value: unknown, ...rules: PropertyDecorator[]): Promise<string[]> {
  class Form {}
  for (const rule of rules) rule(Form.prototype, 'field');
  const { problems } = await judged(Form as DtoClass, { field: value });
  return problems.map(({ code, message }) => `${code} ${message}`);
}

describe('an absent value', () => {
  const IsMicrochip = () =>
    ValidateBy({
      name: 'isMicrochip',
      validator: { validate: () => false, defaultMessage: () => '$property is no microchip' },
    });

  it('is only required, whatever the rules of a module say of it', async () => {
    expect(await problemsOf(undefined, IsString(), IsMicrochip())).toEqual(['required is required']);
  });

  it('is left to the rules of a module where there are no others', async () => {
    expect(await problemsOf(undefined, IsMicrochip())).toEqual(['invalid_value is no microchip']);
  });
});

describe('a value in place of a list', () => {
  it.each([
    [IsArray(), IsString({ each: true })],
    [IsString({ each: true }), IsArray()],
  ])('must be a list, whichever rule comes first', async (...rules) => {
    expect(await problemsOf(7, ...rules)).toEqual(['invalid_type must be an array']);
  });

  it('is told of each value when it is one', async () => {
    expect(await problemsOf(['x', 7], IsArray(), IsString({ each: true }))).toEqual([
      'invalid_type each value must be a string',
    ]);
  });
});

describe('an integer that a number does not hold', () => {
  const [large, small] = [2n ** 60n, -(2n ** 60n)];
  const RANGE = 'out_of_range must be from -9007199254740991 to 9007199254740991';

  it.each<[string, unknown, PropertyDecorator[]]>([
    ['an integer', large, [IsInt()]],
    ['a number in bounds', small, [IsNumber(), Min(0), Max(9)]],
    ['a positive number', large, [IsPositive()]],
    ['a multiple', large, [IsDivisibleBy(4)]],
    ['anything', large, [Allow()]],
    ['one of several integers', [7, large], [IsInt({ each: true }), Min(3, { each: true })]],
    ['one of several things', [7, large], [Allow()]],
  ])('is one problem where %s is wanted', async (_, value, rules) => {
    expect(await problemsOf(value, ...rules)).toEqual([RANGE]);
  });

  it('is of the wrong type where no number is wanted', async () => {
    expect(await problemsOf(large, IsString())).toEqual(['invalid_type must be a string']);
    expect(await problemsOf(large, IsIn(['a', 'b'], { message: '$property must be a or b' }))).toEqual([
      'invalid_enum_value must be a or b',
    ]);
  });

  it('is found at any depth of what has no rules of its own', async () => {
    class Note {
      @Allow()
      facts!: object;
    }
    const facts = { seen: [{ times: large }, small] };
    expect((await judged(Note, { facts })).problems.map(({ path, code }) => [path.join('/'), code])).toEqual([
      ['facts/seen/0/times', 'out_of_range'],
      ['facts/seen/1', 'out_of_range'],
    ]);
  });

  it('is held against its bounds where it is taken', async () => {
    const some = IsInt64({ min: 1, max: 2n ** 61n, each: true });
    expect(await problemsOf([large, 1], some)).toEqual([]);
    expect(await problemsOf([large, 0], some)).toEqual([
      'out_of_range each value must be from 1 to 2305843009213693952',
    ]);
    expect(await problemsOf([large, '1'], some)).toEqual(['invalid_type each value must be an integer']);
  });
});

describe('a number', () => {
  it('is neither negative nor positive as 0', async () => {
    expect(await problemsOf(0, IsNegative())).toEqual(['out_of_range must be a negative number']);
    expect(await problemsOf(0, IsPositive())).toEqual(['out_of_range must be a positive number']);
  });
});

describe('an empty list', () => {
  it('is no word and no number', async () => {
    expect(await problemsOf([], IsIn(['a', 'b'], { message: '$property must be a or b' }))).toEqual([
      'invalid_enum_value must be a or b',
    ]);
    expect(await problemsOf([], Max(9))).toEqual(['out_of_range must not be greater than 9']);
    expect(await problemsOf([3], Max(9))).toEqual(['out_of_range must not be greater than 9']);
  });
});

describe('the message of a rule', () => {
  it('follows the name of the field, without its last full stop only', async () => {
    const message = '$property must weigh 1.5 kg at most.';
    expect(await problemsOf('xxx', MaxLength(2, { message }))).toEqual([
      'too_long must weigh 1.5 kg at most',
    ]);
  });

  it('is kept as it is if it does not begin with that name', async () => {
    expect(await problemsOf('xxx', MaxLength(2, { message: 'Too long!' }))).toEqual(['too_long Too long!']);
  });

  it('is the only one of an error without others below it', () => {
    const errors = [{ property: 'name', value: 7, constraints: { isString: 'name must be a string' } }];
    expect(fieldProblems(errors, ['pet'])).toEqual([
      { path: ['pet', 'name'], code: 'invalid_type', message: 'must be a string' },
    ]);
  });
});

describe('an unknown name', () => {
  it('is told that there are no others where none is known', () => {
    expect(unknownName('name', [])).toBe('is not known; none is');
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

describe('what class-validator exports but does not document', () => {
  it('tells the fields of a class that have rules, those of its base class too', () => {
    expect(knownFields(Vaccination)).toEqual(['dose', 'note']);
    expect(knownFields(Visit)).toEqual(['note']);
  });
});
