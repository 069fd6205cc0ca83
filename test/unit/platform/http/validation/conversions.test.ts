import { Expose, Transform, Type } from 'class-transformer';
import { IsBoolean, IsDate, IsInt } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { IsInt64, MayBeAbsent } from '../../../../../src/platform/http/validation/dto.decorators.js';
import type { DtoClass } from '../../../../../src/platform/http/validation/dto-shape.js';
import {
  validateBodySync,
  validateParameters,
} from '../../../../../src/platform/http/validation/validate-dto.js';

/** A class with one field of this declared type. */
function formWith(declared: unknown, ...decorators: PropertyDecorator[]): DtoClass<{ field?: unknown }> {
  class Form {}
  Reflect.defineMetadata('design:type', declared, Form.prototype, 'field');
  for (const decorate of decorators) decorate(Form.prototype, 'field');
  return Form;
}
const ok = (field: unknown) => ({ dto: { field }, problems: [] });
const refused = (field: unknown, message: string) => ({
  dto: { field },
  problems: [{ path: ['field'], code: 'invalid_type', message }],
});

describe('a body with a type that `@Type` names, as in a form', () => {
  const read = (form: DtoClass, field: unknown) => {
    const { dto, problems } = validateBodySync(form, { field });
    return { dto: { ...dto }, problems };
  };

  it('has it from a text as we write it, or as it came', () => {
    const rows = formWith(
      Number,
      Type(() => Number),
      IsInt(),
    );
    expect(read(rows, '5')).toEqual(ok(5));
    expect(read(rows, 5)).toEqual(ok(5));
    expect(read(rows, '05')).toEqual(refused('05', 'must be an integer number'));
    const desc = formWith(
      Boolean,
      Type(() => Boolean),
      IsBoolean(),
    );
    expect(read(desc, 'false')).toEqual(ok(false));
    expect(read(desc, 'no')).toEqual(refused('no', 'must be a boolean value'));
  });

  it('has each of several, and keeps all as they came if one is wrong', () => {
    const flags = formWith(
      Array,
      Type(() => Boolean),
      IsBoolean({ each: true }),
    );
    expect(read(flags, ['true', 'false'])).toEqual(ok([true, false]));
    expect(read(flags, ['true', 'no'])).toEqual(refused([true, 'no'], 'each value must be a boolean value'));
    const days = formWith(
      Array,
      Type(() => Date),
      IsDate({ each: true }),
    );
    expect(read(days, ['2026-11-20'])).toEqual(ok([new Date('2026-11-20')]));
    expect(read(days, ['20 Nov 2026'])).toEqual(
      refused(['20 Nov 2026'], 'each value must be a Date instance'),
    );
  });

  it('leaves to `@Transform` what it makes of it', () => {
    const atMost = (most: number) => Transform(({ value }: { value: number }) => Math.min(value, most));
    expect(
      read(
        formWith(
          Number,
          Type(() => Number),
          atMost(50),
          IsInt(),
        ),
        '70',
      ),
    ).toEqual(ok(50));
  });

  it('leaves the text where nothing is named', () => {
    expect(read(formWith(Number, IsInt()), '5')).toEqual(refused('5', 'must be an integer number'));
  });
});

describe('a body with a declared type that JSON lacks', () => {
  it.each([
    ['2026-11-20', new Date('2026-11-20')],
    ['2026-11-20T12:00:00+01:00', new Date('2026-11-20T11:00:00Z')],
  ])('has a Date for the text %s', (text, date) => {
    expect(validateBodySync(formWith(Date, IsDate()), { field: text })).toMatchObject(ok(date));
  });

  it.each(['20 Nov 2026', 1_795_132_800_000, null])('has no Date for %j', (field) => {
    expect(validateBodySync(formWith(Date, IsDate()), { field })).toMatchObject(
      refused(field, 'must be a Date instance'),
    );
  });

  it('has a bigint for an integer that a number holds exactly', () => {
    const form = formWith(BigInt, IsInt64());
    expect(validateBodySync(form, { field: 7 })).toMatchObject(ok(7n));
    expect(validateBodySync(form, { field: 2n ** 60n })).toMatchObject(ok(2n ** 60n));
    expect(validateBodySync(form, { field: 7.5 })).toMatchObject(refused(7.5, 'must be an integer'));
    expect(validateBodySync(form, { field: '7' })).toMatchObject(refused('7', 'must be an integer'));
  });
});

describe('a query', () => {
  it.each<[string, string, PropertyDecorator, unknown]>([
    ['isInt', '7', IsInt({ each: true }), 7],
    ['isInt64', '7', IsInt64({ each: true }), 7n],
    ['isBoolean', 'false', IsBoolean({ each: true }), false],
    ['isDate', '2026-11-20', IsDate({ each: true }), new Date('2026-11-20')],
  ])('has a list of what the rule %s takes', async (_, text, rule, value) => {
    const { dto, problems } = await validateParameters(formWith(Array, rule), { field: text });
    expect([dto.field, problems]).toEqual([[value], []]);
  });
});

describe('a field that was not sent', () => {
  it.each<[string, PropertyDecorator]>([
    ['of a named type', Type(() => Number)],
    ['that class-transformer exposes', Expose()],
  ])('keeps its default: one %s', (_, decorator) => {
    class Page {
      @MayBeAbsent()
      @IsInt()
      rows = 20;
    }
    decorator(Page.prototype, 'rows');
    expect(validateBodySync(Page, {})).toEqual({ dto: new Page(), problems: [] });
  });

  it('is one that is undefined, too', () => {
    expect(validateBodySync(formWith(Number, IsInt()), { field: undefined }).problems).toEqual([
      { path: ['field'], code: 'required', message: 'is required' },
    ]);
  });
});
