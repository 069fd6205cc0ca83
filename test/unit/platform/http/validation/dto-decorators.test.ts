import { validateSync } from 'class-validator';
import { describe, expect, it } from 'vitest';
import {
  BooleanField,
  DayField,
  DecimalField,
  Fixed,
  EnumField,
  IdsField,
  InstantField,
  Int64Field,
  IntegerField,
  MayBeAbsent,
  ReadOnly,
  TextField,
  WordsField,
} from '../../../../../src/platform/http/index.js';
import { IsInt64 } from '../../../../support/rooms/http.js';
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

const notes = { description: 'What it is.', example: 'Rex' };
const text = TextField(notes);
/** Created in the test that applies it, because mutants only take effect there. */
const int64: PropertyDecorator = (target, property) => IsInt64()(target, property);
const ofThree = TextField({ ...notes, minLength: 2, maxLength: 3 });
const age = IntegerField({ description: 'How old.', example: 3, min: -1, max: 240 });
const size = EnumField(['small', 'large'], { ...notes, name: 'Size' });
const day = DayField({ description: 'When.', example: '2026-11-20' });
const cost = { description: 'What it costs.', example: '12.50' };
const price = DecimalField({ ...cost, precision: 10, scale: 2 });
const degrees = DecimalField({ ...cost, precision: 3, scale: 1, signed: true });
const share = DecimalField({ ...cost, precision: 2, scale: 2 });
const ids = IdsField({ description: 'Which.', example: [7] });
const extras = WordsField(['walk', 'BATH'], { name: 'Extra', description: 'What else.', example: ['walk'] });
const SHARE =
  'must be a decimal number as a text, not negative, with only 0 before the point and at most 2 digits behind it';
const MADE =
  'must be a decimal number as a text, not negative, with at most 8 digits before the point and 2 behind it';

describe('a field', () => {
  it.each<[string, PropertyDecorator[], unknown[]]>([
    ['a text', [text], ['', 'Rex', '7']],
    ['an optional text', [TextField({ ...notes, optional: true })], [undefined]],
    ['an optional integer', [MayBeAbsent(), int64], [undefined]],
    ['a text that may be null', [TextField({ ...notes, nullable: true })], [undefined, null, 'Rex']],
    ['absent because the service assigns it', [ReadOnly()], [undefined]],
    ['absent because it cannot be changed', [Fixed()], [undefined]],
    ['a text of 2 to 3 characters', [ofThree], ['🐶🐶', '猫犬a']],
    ['a 64-bit integer', [int64], [0, -7, 2 ** 53 - 1, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n]],
    ['an integer in bounds', [age], [-1, 0, 240]],
    ['one of a few words', [size], ['small', 'large']],
    ['some of a few words', [extras], [[], ['BATH'], ['walk', 'BATH']]],
    ['a decimal number below 1', [share], ['0', '0.1', '0.99']],
    ['a calendar day', [day], ['2026-11-20', '2028-02-29', '1000-01-01', '9999-12-31']],
  ])('may be %s', async (_, rules, values) => {
    for (const value of values) expect([value, await judge(value, ...rules)]).toEqual([value, []]);
  });

  it.each<[string, PropertyDecorator, unknown[], message?: string]>([
    ['required', text, [undefined]],
    ['invalid_type', text, [null, 7, 7n, true, ['Rex'], { name: 'Rex' }], 'must be a string'],
    ['invalid_type', TextField({ ...notes, optional: true }), [null]],
    ['read_only_field', ReadOnly(), [null, 0, '', 7], 'is assigned by the service; leave it out'],
    ['read_only_field', Fixed(), [null, 0, '', 7], 'cannot be changed; leave it out'],
    ['control_character', text, ['a\0b', 'two\nlines', '\u009f'], 'must not contain control characters'],
    ['malformed_text', text, ['\ud83d']],
    ['malformed_text control_character', text, ['\udc36 Rex\t']],
    ['too_short', ofThree, ['x', '🐶']],
    ['blank', ofThree, ['', ' \u200b']],
    // Two code points per character, which class-validator counts as one and a database column as two.
    ['too_long', ofThree, ['abcd', 'a\ufe0fb\ufe0f'], 'must have at most 3 characters'],
    ['control_character too_long', ofThree, ['abc\n']],
    [
      'out_of_range',
      int64,
      [2n ** 63n, -(2n ** 63n) - 1n, 10n ** 70n, 1e100, Infinity, -Infinity],
      'must be from -9223372036854775808 to 9223372036854775807',
    ],
    ['invalid_type', int64, [7.5, Number.NaN, '7', '', null, true, [7], {}], 'must be an integer'],
    ['out_of_range', age, [-2, 241, 2n ** 60n, -(2n ** 60n), Infinity], 'must be from -1 to 240'],
    ['invalid_type', age, [1.5, '3', null, true], 'must be an integer from -1 to 240'],
    [
      'invalid_enum_value',
      size,
      ['Small', 'small ', '', 'medium', null, 0, ['small'], { small: true }],
      'must be one of small, large',
    ],
    ['invalid_enum_value', extras, [['bath']], 'each value must be one of walk, BATH'],
    ['invalid_value', extras, [['walk', 'walk']], 'must not have a word twice'],
    ['invalid_type', extras, ['walk'], 'must be an array'],
    [
      'invalid_format',
      day,
      ['2026-02-29', '2026-13-01', '2026-1-1', '0999-12-31', '2026-11-20T00:00:00Z', '20261120', ''],
      'must be a calendar day, such as 2026-11-20',
    ],
    ['invalid_type', day, [20_261_120, null, ['2026-11-20']]],
    ['invalid_format', price, ['100000000', '12.505', '-1', '012', '1.', '.5', '1e3', '1,5', ' 1', ''], MADE],
    ['invalid_format', share, ['1', '1.50', '15{0,-1}', '.99', '0.123', '-0.1', '00.1'], SHARE],
    ['invalid_type', price, [12.5, 12n, null, ['1']]],
  ])('gets the problem %s for values that break its rules', async (codes, rule, values, message) => {
    for (const value of values) {
      const problems = await judge(value, rule);
      expect([value, problems.map(({ code }) => code).join(' ')]).toEqual([value, codes]);
      if (message) expect(problems[0]).toMatchObject({ path: ['field'], message });
    }
  });

  it.each([
    [price, '12.50', '12.50'],
    [price, '12.5', '12.50'],
    [price, '0', '0.00'],
    [price, '99999999.99', '99999999.99'],
    [share, '0.5', '0.50'],
    [degrees, '-0.0', '0.0'],
    [degrees, '-0.5', '-0.5'],
    [degrees, '-12', '-12.0'],
    [day, '2026-11-20', '2026-11-20'],
  ])(
    'with an exact number or a day is normalised to one spelling: %o, %s is %s',
    async (rule, value, whole) => {
      const { dto, problems } = await judged(formWith(rule), { field: value });
      expect([dto, problems]).toMatchObject([{ field: whole }, []]);
    },
  );
});

it.each([
  [2, 3],
  [2, 0],
  [2, -1],
  [2, 1.5],
  [Number.NaN, 1],
])('a decimal number of %s digits with %s behind the point stops the start', (precision, scale) => {
  expect(() => DecimalField({ ...cost, precision, scale })).toThrow(
    `A DecimalField cannot have precision ${precision} and scale ${scale}. Write whole numbers: a scale of 1 or more, and at least as many digits in all.`,
  );
});

// Each field is created in its test, because mutants only take effect there.
describe('a field of each kind', () => {
  const number = { description: 'How many.', example: 3 };
  it.each<[() => PropertyDecorator, unknown, code: string, message: string]>([
    [() => DecimalField({ ...cost, precision: 10, scale: 2 }), 'x', 'invalid_format', MADE],
    [() => DecimalField({ ...cost, precision: 2, scale: 2 }), 'x', 'invalid_format', SHARE],
    [
      () => DecimalField({ ...cost, precision: 3, scale: 1, signed: true }),
      'x',
      'invalid_format',
      'must be a decimal number as a text, with at most 2 digits before the point and 1 behind it',
    ],
    [
      () => IntegerField({ ...number, min: 1, max: 9 }),
      'x',
      'invalid_type',
      'must be an integer from 1 to 9',
    ],
    [() => IntegerField({ ...number, min: 1, max: 9 }), 10, 'out_of_range', 'must be from 1 to 9'],
    [() => Int64Field({ ...number, min: 1 }), 0, 'out_of_range', 'must be from 1 to 9223372036854775807'],
    [() => TextField(notes), 7, 'invalid_type', 'must be a string'],
    [() => TextField({ ...notes, maxLength: 2 }), 'Rex', 'too_long', 'must have at most 2 characters'],
  ])('says what is wrong: %s, %o', async (create, value, code, message) => {
    expect(await judge(value, create())).toEqual([{ path: ['field'], code, message }]);
  });

  it.each<[() => PropertyDecorator, unknown[]]>([
    [() => TextField({ ...notes, optional: true }), [undefined, 'Rex']],
    [() => TextField({ ...notes, nullable: true }), [undefined, null, 'Rex']],
  ])('may be absent or null if it says so: %s', async (create, values) => {
    for (const value of values) expect([value, await judge(value, create())]).toEqual([value, []]);
  });

  it('with a decimal number has all digits behind the point', async () => {
    const form = formWith(DecimalField({ ...cost, precision: 10, scale: 2 }));
    expect((await judged(form, { field: '12.5' })).dto).toEqual({ field: '12.50' });
  });

  it('with an integer reads the text of a query', async () => {
    const form = formWith(IntegerField({ ...number, min: 1, max: 9 }));
    expect((await judged(form, { field: '7' }, 'query')).dto).toEqual({ field: 7 });
  });
});

it('a field with ids accepts ids of a query that are separated by commas', async () => {
  const { dto, problems } = await judged(formWith(ids), { field: '7,12' }, 'query');
  expect([dto, problems]).toMatchObject([{ field: [7n, 12n] }, []]);
});

describe('the description of a field', () => {
  const count = { description: 'How many.', example: 3 };
  const when = { description: 'When.', example: '2026-11-20T12:00:00.000Z' };
  const ANY = 'How many. The value may be any 64-bit integer.';
  const ROUNDED = 'It is a JSON number. `JSON.parse` of JavaScript rounds it beyond 2^53.';
  // Each field is created in its test, because mutants only take effect there.
  it.each<[() => PropertyDecorator, object]>([
    [() => TextField(notes), { ...notes, type: 'string', required: true }],
    [() => BooleanField({ description: 'Whether.', example: true }), { type: 'boolean', required: true }],
    [() => TextField({ ...notes, optional: true }), { required: false }],
    [() => TextField({ ...notes, nullable: true }), { required: false, nullable: true }],
    [() => TextField({ ...notes, optional: true, nullable: true }), { required: false, nullable: true }],
    [
      () => TextField({ ...notes, agentDescription: 'Its name.' }),
      { ...notes, 'x-agent-description': 'Its name.' },
    ],
    [
      () => IntegerField({ ...count, min: -1, max: 240 }),
      { ...count, type: 'integer', minimum: -1, maximum: 240 },
    ],
    [
      () => Int64Field(count),
      {
        description: `${ANY} ${ROUNDED}`,
        'x-agent-description': ANY,
        example: 3,
        type: 'integer',
        format: 'int64',
        required: true,
      },
    ],
    [
      () => Int64Field({ ...count, min: 1n, optional: true }),
      { ...count, type: 'integer', format: 'int64', minimum: 1, required: false },
    ],
    [() => Int64Field({ ...count, max: 9 }), { ...count, type: 'integer', format: 'int64', maximum: 9 }],
    [() => InstantField(when), { ...when, type: 'string', format: 'date-time' }],
    [
      () => DecimalField({ ...cost, precision: 3, scale: 1, signed: true }),
      { ...cost, type: 'string', pattern: String.raw`^-?(?:0|[1-9]\d{0,1})(?:\.\d{1,1})?$` },
    ],
    [
      () => DecimalField({ ...cost, precision: 2, scale: 2 }),
      { pattern: String.raw`^0(?:\.\d{1,2})?$`, required: true },
    ],
  ])('contains its type, and whether the field may be absent or null: %s', (create, described) => {
    const found = documentedFields(formWith(create())).get('field');
    expect(found).toMatchObject(described);
    for (const optional of ['nullable', 'x-agent-description', 'minimum', 'maximum'])
      expect(Object.hasOwn(found!, optional)).toBe(optional in described);
  });
});

it("Nest's own pipe, which a module may add, finds the same texts valid and invalid", () => {
  const errorsOf = (value: unknown) =>
    validateSync(Object.assign(new (formWith(text))(), { field: value })).length;
  expect(['Rex', 7, 'a\0b'].map(errorsOf)).toEqual([0, 1, 1]);
});
