import { describe, expect, it } from 'vitest';
import { checkShape, type Shape } from '../../../../../src/platform/http/validation/check-shape.js';
import {
  IsInt64,
  IsOneOf,
  IsText,
  IsWholeNumber,
  Optional,
  ReadOnly,
  Required,
} from '../../../../../src/platform/http/validation/field-rules.js';

/** What a field with just these rules objects to. */
function problemsOf(value: unknown, ...rules: PropertyDecorator[]): string[] {
  const shape: Shape<object> = class Form {};
  for (const rule of rules) rule(shape.prototype as object, 'field');
  return checkShape(shape, { field: value }).problems.map(({ code }) => code);
}
const messageFor = (value: unknown, rule: PropertyDecorator) => {
  class Form {}
  rule(Form.prototype, 'field');
  return checkShape(Form, { field: value }).problems[0]?.message;
};

describe('a required field', () => {
  it('must be there', () => expect(problemsOf(undefined, Required())).toEqual(['required']));

  it.each([null, 0, '', false])('is there when it is %j', (value) => {
    expect(problemsOf(value, Required())).toEqual([]);
  });
});

describe('an optional field', () => {
  it('may be left out', () => expect(problemsOf(undefined, Optional(), IsText())).toEqual([]));

  it('may not be null', () => expect(problemsOf(null, Optional(), IsText())).toEqual(['invalid_type']));
});

describe('a field that the service assigns', () => {
  it.each([null, 0, '', 7])('may not be brought, not even as %j', (value) => {
    expect(problemsOf(value, ReadOnly())).toEqual(['read_only_field']);
  });
});

describe('a text', () => {
  it.each(['', 'Rex', '7'])('may be "%s"', (value) => expect(problemsOf(value, IsText())).toEqual([]));

  it.each([null, 7, 7n, true, ['Rex'], { name: 'Rex' }])('may not be %o', (value) => {
    expect(problemsOf(value, IsText())).toEqual(['invalid_type']);
  });
});

describe('a 64-bit integer', () => {
  it.each([0, -7, 2 ** 53 - 1, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n])('may be %s', (value) => {
    expect(problemsOf(value, IsInt64())).toEqual([]);
  });

  it.each([2n ** 63n, -(2n ** 63n) - 1n, 10n ** 70n, 1e100, Infinity, -Infinity])(
    'is out of range as %s',
    (value) => {
      expect(problemsOf(value, IsInt64())).toEqual(['out_of_range']);
    },
  );

  it.each([7.5, Number.NaN, '7', '', null, true, [7], {}])('has the wrong type as %s', (value) => {
    expect(problemsOf(value, IsInt64())).toEqual(['invalid_type']);
  });

  it('is asked for with its range', () => {
    expect(messageFor(2n ** 63n, IsInt64())).toBe('must be from -9223372036854775808 to 9223372036854775807');
  });
});

describe('one of a few words', () => {
  const isSize = IsOneOf(['small', 'large']);

  it.each(['small', 'large'])('may be %s', (value) => expect(problemsOf(value, isSize)).toEqual([]));

  it.each(['Small', 'small ', '', 'medium', null, 0, ['small'], { small: true }])(
    'may not be %j',
    (value) => {
      expect(problemsOf(value, isSize)).toEqual(['invalid_enum_value']);
    },
  );

  it('is asked for by name', () => expect(messageFor('huge', isSize)).toBe('must be one of small, large'));
});

describe('a number in a query', () => {
  const isRow = IsWholeNumber(1, 100);

  it.each(['1', '20', '100'])('may be %s', (value) => expect(problemsOf(value, isRow)).toEqual([]));

  it.each(['0', '101', '-1', '9'.repeat(30)])('is out of range as %s', (value) => {
    expect(problemsOf(value, isRow)).toEqual(['out_of_range']);
  });

  it.each(['', ' 5', '5 ', '+5', '05', '1e1', '5.0', '0x5', '-0', 'five', '٥', ['5', '5'], { a: '5' }])(
    'is no number as %j',
    (value) => expect(problemsOf(value, isRow)).toEqual(['invalid_type']),
  );

  it.each(['0', 'five'])('is asked for with its range after %s', (value) => {
    expect(messageFor(value, isRow)).toMatch(/from 1 to 100/);
  });
});
