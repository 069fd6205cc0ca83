import { describe, expect, it } from 'vitest';
import {
  BooleanField,
  DayField,
  DecimalField,
  EnumField,
  IntegerField,
  MayBeAbsent,
  ReadOnly,
  TextField,
  WordsField,
} from '../../../../../src/platform/http/validation/dto.decorators.js';
import { IsInt64 } from '../../../../../src/platform/http/validation/own-rules.js';
import { documentedFields, type DtoClass } from '../../../../../tools/openapi/dto-metadata.js';
import { judged } from '../../../../support/http/judged.js';

/** A class with one field that has exactly these rules. */
function formWith(...rules: PropertyDecorator[]): DtoClass {
  class Form {}
  for (const rule of rules) rule(Form.prototype, 'field');
  return Form;
}
const judge = async (value: unknown, ...rules: PropertyDecorator[]) =>
  (await judged(formWith(...rules), value === undefined ? {} : { field: value })).problems;
const problemsOf = async (value: unknown, ...rules: PropertyDecorator[]) =>
  (await judge(value, ...rules)).map(({ code }) => code);
const messageFor = async (value: unknown, rule: PropertyDecorator) => (await judge(value, rule))[0]?.message;

const notes = { description: 'What it is.', example: 'Rex' };
const text = TextField(notes);

describe('a required field', () => {
  it('must be there', async () => expect(await problemsOf(undefined, text)).toEqual(['required']));
  it('is there when it is empty', async () => expect(await problemsOf('', text)).toEqual([]));
});

describe('an optional field', () => {
  it('may be left out', async () => {
    expect(await problemsOf(undefined, TextField({ ...notes, optional: true }))).toEqual([]);
    expect(await problemsOf(undefined, MayBeAbsent(), IsInt64())).toEqual([]);
  });

  it('may not be null', async () => {
    expect(await problemsOf(null, TextField({ ...notes, optional: true }))).toEqual(['invalid_type']);
  });
});

describe('a nullable field', () => {
  it.each([undefined, null, 'Rex'])('may be %s', async (value) => {
    expect(await problemsOf(value, TextField({ ...notes, nullable: true }))).toEqual([]);
  });
});

describe('a field that the service assigns', () => {
  it.each([null, 0, '', 7])('may not be brought, not even as %j', async (value) => {
    expect(await judge(value, ReadOnly())).toEqual([
      {
        path: ['field'],
        code: 'read_only_field',
        message: 'is assigned by the service; leave it out',
      },
    ]);
  });

  it('is left out', async () => expect(await problemsOf(undefined, ReadOnly())).toEqual([]));
});

describe('a text', () => {
  it.each(['', 'Rex', '7'])('may be "%s"', async (value) =>
    expect(await problemsOf(value, text)).toEqual([]),
  );

  it.each([null, 7, 7n, true, ['Rex'], { name: 'Rex' }])('may not be %o', async (value) => {
    expect(await problemsOf(value, text)).toEqual(['invalid_type']);
  });

  it.each([
    ['a\0b', ['control_character']],
    ['two\nlines', ['control_character']],
    ['\u009f', ['control_character']],
    ['\ud83d', ['malformed_text']],
    ['\udc36 Rex\t', ['malformed_text', 'control_character']],
  ])('may not be %j', async (value, codes) => expect(await problemsOf(value, text)).toEqual(codes));

  const ofThree = TextField({ ...notes, minLength: 2, maxLength: 3 });
  it.each([
    ['🐶🐶', []],
    ['猫犬a', []],
    ['x', ['too_short']],
    ['🐶', ['too_short']],
    ['', ['blank']],
    [' \u200b', ['blank']],
    ['abcd', ['too_long']],
    // Two code points per character, which class-validator counts as one and a database column as two.
    ['a\ufe0fb\ufe0f', ['too_long']],
    ['abc\n', ['control_character', 'too_long']],
  ])('of 2 to 3 characters is judged as by the domain: %j', async (value, codes) => {
    expect(await problemsOf(value, ofThree)).toEqual(codes);
  });

  it('is told what it must be', async () => {
    expect(await messageFor(7, text)).toBe('must be a string');
    expect((await judge('abc\n', ofThree)).map(({ message }) => message)).toEqual([
      'must not contain control characters',
      'must have at most 3 characters',
    ]);
  });
});

describe('a 64-bit integer', () => {
  it.each([0, -7, 2 ** 53 - 1, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n])('may be %s', async (value) => {
    expect(await problemsOf(value, IsInt64())).toEqual([]);
  });

  it.each([2n ** 63n, -(2n ** 63n) - 1n, 10n ** 70n, 1e100, Infinity, -Infinity])(
    'is out of range as %s',
    async (value) => {
      expect(await problemsOf(value, IsInt64())).toEqual(['out_of_range']);
    },
  );

  it.each([7.5, Number.NaN, '7', '', null, true, [7], {}])('has the wrong type as %s', async (value) => {
    expect(await problemsOf(value, IsInt64())).toEqual(['invalid_type']);
  });

  it('is asked for with its range', async () => {
    expect(await messageFor(2n ** 63n, IsInt64())).toBe(
      'must be from -9223372036854775808 to 9223372036854775807',
    );
    expect(await messageFor('7', IsInt64())).toBe('must be an integer');
  });
});

describe('an integer in bounds', () => {
  const age = () => IntegerField({ description: 'How old.', example: 3, min: -1, max: 240 });

  it.each([-1, 0, 240])('may be %s, and stays a number', async (value) => {
    expect(await problemsOf(value, age())).toEqual([]);
  });

  it.each([-2, 241, 2n ** 60n, -(2n ** 60n), Infinity])('is out of range as %s', async (value) => {
    expect(await judge(value, age())).toMatchObject([
      { code: 'out_of_range', message: 'must be from -1 to 240' },
    ]);
    expect(await judge(value, age())).toHaveLength(1);
  });

  it.each([1.5, '3', null, true])('has the wrong type as %s', async (value) => {
    expect(await judge(value, age())).toMatchObject([
      { code: 'invalid_type', message: 'must be an integer from -1 to 240' },
    ]);
  });

  it('has its bounds in the document', () => {
    const described = { type: 'integer', minimum: -1, maximum: 240, description: 'How old.' };
    expect(documentedFields(formWith(age())).get('field')).toMatchObject(described);
  });
});

describe('one of a few words', () => {
  const isSize = EnumField(['small', 'large'], { ...notes, name: 'Size' });

  it.each(['small', 'large'])('may be %s', async (value) =>
    expect(await problemsOf(value, isSize)).toEqual([]),
  );

  it.each(['Small', 'small ', '', 'medium', null, 0, ['small'], { small: true }])(
    'may not be %j',
    async (value) => {
      expect(await problemsOf(value, isSize)).toEqual(['invalid_enum_value']);
    },
  );

  it('is asked for by name', async () =>
    expect(await messageFor('huge', isSize)).toBe('must be one of small, large'));
});

describe('the document of a field', () => {
  const documentOf = (rule: PropertyDecorator) => documentedFields(formWith(rule)).get('field');

  it('says what it is, and that it is required', () => {
    expect(documentOf(TextField(notes))).toMatchObject({ ...notes, type: 'string', required: true });
    expect(documentOf(BooleanField({ description: 'Whether.', example: true }))).toMatchObject({
      type: 'boolean',
      required: true,
    });
  });

  it.each([{ optional: true }, { nullable: true }, { optional: true, nullable: true }])(
    'says that it may be left out: %j',
    (presence) => expect(documentOf(TextField({ ...notes, ...presence }))).toMatchObject({ required: false }),
  );

  it('says whether it may be null', () => {
    expect(documentOf(TextField({ ...notes, nullable: true }))).toMatchObject({ nullable: true });
    expect(documentOf(TextField({ ...notes, optional: true }))).not.toHaveProperty('nullable');
  });
});

describe('a calendar day', () => {
  const day = DayField({ description: 'When.', example: '2026-11-20' });

  it.each(['2026-11-20', '2028-02-29', '1000-01-01', '9999-12-31'])('is %s', async (value) => {
    expect(await judged(formWith(day), { field: value })).toMatchObject({
      dto: { field: value },
      problems: [],
    });
  });

  it.each(['2026-02-29', '2026-13-01', '2026-1-1', '0999-12-31', '2026-11-20T00:00:00Z', '20261120', ''])(
    'is not "%s"',
    async (value) => {
      expect(await judge(value, day)).toEqual([
        { path: ['field'], code: 'invalid_format', message: 'must be a calendar day, such as 2026-11-20' },
      ]);
    },
  );

  it.each([20_261_120, null, ['2026-11-20']])('is a text, unlike %j', async (value) => {
    expect(await problemsOf(value, day)).toEqual(['invalid_type']);
  });
});

describe('an exact number', () => {
  const notes = { description: 'What it costs.', example: '12.50' };
  const price = DecimalField({ ...notes, precision: 10, scale: 2 });
  const degrees = DecimalField({ ...notes, precision: 3, scale: 1, signed: true });

  it.each([
    ['12.50', '12.50'],
    ['12.5', '12.50'],
    ['0', '0.00'],
    ['99999999.99', '99999999.99'],
  ])('%s is %s', async (value, whole) => {
    expect(await judged(formWith(price), { field: value })).toMatchObject({
      dto: { field: whole },
      problems: [],
    });
  });

  it.each([
    ['-0.0', '0.0'],
    ['-12', '-12.0'],
  ])('may be signed: %s is %s', async (value, whole) => {
    expect(await judged(formWith(degrees), { field: value })).toMatchObject({ dto: { field: whole } });
  });

  it.each(['100000000', '12.505', '-1', '012', '1.', '.5', '1e3', '1,5', ' 1', ''])(
    'is not "%s"',
    async (value) => {
      expect(await judge(value, price)).toEqual([
        {
          path: ['field'],
          code: 'invalid_format',
          message:
            'must be a decimal number as a text, not negative, with at most 8 digits before the point and 2 behind it',
        },
      ]);
    },
  );

  it.each([12.5, 12n, null, ['1']])('is a text, unlike %s', async (value) => {
    expect(await problemsOf(value, price)).toEqual(['invalid_type']);
  });

  it('tells its pattern to the document', () => {
    expect(documentedFields(formWith(degrees)).get('field')).toMatchObject({
      type: 'string',
      pattern: String.raw`^-?(?:0|[1-9]\d{0,1})(?:\.\d{1,1})?$`,
    });
  });
});

describe('some of a few words', () => {
  const extras = WordsField(['walk', 'BATH'], {
    name: 'Extra',
    description: 'What else.',
    example: ['walk'],
  });

  it.each([[[]], [['BATH']], [['walk', 'BATH']]])('may be %j', async (value) => {
    expect(await problemsOf(value, extras)).toEqual([]);
  });

  it.each<[unknown, string, string]>([
    [['bath'], 'invalid_enum_value', 'each value must be one of walk, BATH'],
    [['walk', 'walk'], 'invalid_value', 'must not have a word twice'],
    ['walk', 'invalid_type', 'must be an array'],
  ])('may not be %j', async (value, code, message) => {
    expect(await judge(value, extras)).toEqual([{ path: ['field'], code, message }]);
  });
});
