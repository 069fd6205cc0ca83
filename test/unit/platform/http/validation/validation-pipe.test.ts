import type { ArgumentMetadata } from '@nestjs/common';
import { IsIn, IsInt, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { toErrorResponse } from '../../../../../src/platform/http/errors/error-response.js';
import { PageQuery } from '../../../../../src/platform/http/lists/page.query.js';
import { MayBeAbsent, PureRules } from '../../../../../src/platform/http/validation/dto.decorators.js';
import { DtoValidationPipe } from '../../../../../src/platform/http/validation/validation.pipe.js';

const pipe = new DtoValidationPipe();

@PureRules()
class Search extends PageQuery {
  @MayBeAbsent()
  @IsIn(['sold'])
  status?: string;
}

class Visit {
  @IsString()
  note!: string;
}

const transform = async (value: unknown, metadata: ArgumentMetadata) => pipe.transform(value, metadata);
const errorOf = async (value: unknown, metadata: ArgumentMetadata) =>
  transform(value, metadata).catch((error: unknown) => toErrorResponse(error));

describe('a query', () => {
  const query = { type: 'query', metatype: Search } as const;

  it('is validated once while it is short, and nobody can change it for others', async () => {
    const first = pipe.transform({ limit: '5', status: 'sold' }, query);
    expect(first).toBeInstanceOf(Search);
    expect(first).toMatchObject({ limit: 5, status: 'sold' });
    const again = pipe.transform({ limit: '5', status: 'sold' }, query);
    expect(again).toEqual(first);
    expect(pipe.transform({ limit: '5', status: 'sold' }, query)).toBe(again);
    expect(Object.isFrozen(again)).toBe(true);
  });

  it('is not taken for another one', async () => {
    expect(pipe.transform({ limit: '6' }, query)).toMatchObject({ limit: 6 });
    expect(pipe.transform({ limit: '5', status: 'sold' }, query)).toMatchObject({ limit: 5 });
    expect(await errorOf({ limit: '56 4 statussold' }, query)).toMatchObject({ code: 'invalid_parameter' });
    expect(await errorOf({ limit: ['5', '5'] }, query)).toMatchObject({ code: 'invalid_parameter' });
  });

  it('has the cursor that came, whatever else is remembered of it', async () => {
    pipe.transform({ limit: '7' }, query);
    for (const cursor of ['one', 'two'])
      expect(pipe.transform({ limit: '7', cursor }, query)).toMatchObject({ limit: 7, cursor, size: 7 });
    expect(pipe.transform({ limit: '7' }, query)).not.toHaveProperty('cursor');
    expect(await errorOf({ limit: '7', cursor: ['one', 'two'] }, query)).toMatchObject({
      details: [{ field: 'query.cursor', message: 'must be a string' }],
    });
  });

  it('is rejected each time it is wrong', async () => {
    for (let i = 0; i < 2; i++)
      expect(await errorOf({ limit: '0' }, query)).toMatchObject({ details: [{ field: 'query.limit' }] });
  });

  it('says that a parameter is unknown, whatever else is wrong', async () => {
    expect(await errorOf({ limit: '0', statu: 'sold' }, query)).toMatchObject({
      code: 'unknown_parameter',
      details: [
        {
          field: 'query.statu',
          code: 'unknown_field',
          message: 'is not known; did you mean status',
        },
        { field: 'query.limit', code: 'out_of_range', message: 'must be from 1 to 100' },
      ],
    });
  });

  it('names what is wrong in an object with its place', async () => {
    class Area {
      @IsInt()
      width!: number;
    }
    class Plots {
      @ValidateNested()
      area!: Area;
    }
    expect(await errorOf({ area: { width: 'x' } }, { type: 'query', metatype: Plots })).toMatchObject({
      message: 'query.area.width must be an integer number.',
    });
  });

  it('is made anew each time if its rules may look around', async () => {
    const visit = { type: 'query', metatype: Visit } as const;
    const first = await transform({ note: 'x' }, visit);
    expect(first).toEqual(Object.assign(new Visit(), { note: 'x' }));
    expect(await transform({ note: 'x' }, visit)).not.toBe(first);
  });
});

describe('the memory of queries', () => {
  @PureRules()
  class Named extends PageQuery {
    @IsString()
    name!: string;
  }
  const memory = () => {
    const own = new DtoValidationPipe();
    return (query: object) => own.transform(query, { type: 'query', metatype: Named });
  };

  it('keeps those of at most 128 characters', () => {
    const read = memory();
    const ofLength = (length: number) => ({ name: 'x'.repeat(length - '{"name":""}'.length) });
    expect(read(ofLength(128))).toBe(read(ofLength(128)));
    expect(read(ofLength(129))).not.toBe(read(ofLength(129)));
    expect(read(ofLength(129))).toEqual(read(ofLength(129)));
  });

  it('keeps 256, and begins anew with the next', () => {
    const read = memory();
    const queries = Array.from({ length: 256 }, (_, i) => ({ name: `${i}` }));
    const kept = queries.map(read);
    expect(queries.every((query, i) => read(query) === kept[i])).toBe(true);
    const next = read({ name: 'next' });
    expect(read({ name: 'next' })).toBe(next);
    expect(read(queries[0]!)).not.toBe(kept[0]);
  });

  it('has no room for cursors, each of which is another one', () => {
    const read = memory();
    const first = read({ name: 'x' });
    for (let i = 0; i < 256; i++) read({ name: 'x', cursor: `${i}` });
    expect(read({ name: 'x' })).toBe(first);
  });
});

describe('a single parameter', () => {
  it.each<[unknown, ArgumentMetadata, string]>([
    [['a', 'b'], { type: 'query', metatype: String, data: 'note' }, 'query.note must be given once.'],
    ['x', { type: 'query', metatype: Number, data: 'page' }, 'query.page must be a number, given once.'],
    [['5'], { type: 'query', metatype: Number, data: 'page' }, 'query.page must be a number, given once.'],
    ['x', { type: 'param', metatype: Number, data: 'id' }, 'path.id must be a number, given once.'],
    ['x', { type: 'query', metatype: Number }, 'query. must be a number, given once.'],
  ])('is rejected when it is not what it was declared as: %j', async (value, metadata, message) => {
    expect(await errorOf(value, metadata)).toMatchObject({
      code: 'invalid_parameter',
      message,
      details: [{ code: 'invalid_type' }],
    });
  });

  it.each<[unknown, ArgumentMetadata]>([
    ['a', { type: 'query', metatype: String, data: 'note' }],
    [undefined, { type: 'query', metatype: String, data: 'note' }],
    ['5', { type: 'query', metatype: Number, data: 'page' }],
    [undefined, { type: 'query', metatype: Number, data: 'page' }],
    [['a', 'b'], { type: 'query', metatype: Array, data: 'note' }],
    [{ note: 7 }, { type: 'query', metatype: Visit, data: 'visit' }],
    [7, { type: 'query', metatype: undefined, data: 'note' }],
    [7, { type: 'body', metatype: String, data: 'name' }],
    [['a', 'b'], { type: 'body', metatype: String, data: 'name' }],
    [7, { type: 'custom', metatype: Visit }],
    [7, { type: 'body', metatype: undefined }],
  ])('is left to the pipes that follow: %j', async (value, metadata) => {
    expect(await transform(value, metadata)).toBe(value);
  });
});

describe('a body', () => {
  it('becomes one of its class', async () => {
    expect(await transform({ note: 'x' }, { type: 'body', metatype: Visit })).toBeInstanceOf(Visit);
  });

  it.each([null, [], 'x', 7])('is rejected as %j', async (value) => {
    const error = await errorOf(value, { type: 'body', metatype: Visit });
    expect(error).toMatchObject({
      code: 'validation_failed',
      message: 'The body must be a JSON object.',
      details: [{ field: '', code: 'invalid_type', message: 'The body must be a JSON object' }],
    });
  });

  it('may be a part of it, whose problems are told with its place', async () => {
    const part = { type: 'body', metatype: Visit, data: 'visit' } as const;
    expect(await errorOf({ note: 7 }, part)).toMatchObject({ details: [{ field: '/visit/note' }] });
    expect(await errorOf(undefined, part)).toMatchObject({ message: '/visit must be a JSON object.' });
  });
});
