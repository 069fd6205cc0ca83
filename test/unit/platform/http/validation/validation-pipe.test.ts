import type { ArgumentMetadata } from '@nestjs/common';
import { IsIn, IsString } from 'class-validator';
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
});

describe('a single parameter', () => {
  it.each<[unknown, ArgumentMetadata, string]>([
    [['a', 'b'], { type: 'query', metatype: String, data: 'note' }, 'query.note must be given once.'],
    ['x', { type: 'query', metatype: Number, data: 'page' }, 'query.page must be a number, given once.'],
    ['x', { type: 'param', metatype: Number, data: 'id' }, 'path.id must be a number, given once.'],
  ])('is rejected when it is not what it was declared as: %j', async (value, metadata, message) => {
    expect(await errorOf(value, metadata)).toMatchObject({ code: 'invalid_parameter', message });
  });

  it.each<[unknown, ArgumentMetadata]>([
    ['a', { type: 'query', metatype: String, data: 'note' }],
    [undefined, { type: 'query', metatype: String, data: 'note' }],
    ['5', { type: 'query', metatype: Number, data: 'page' }],
    [undefined, { type: 'query', metatype: Number, data: 'page' }],
    [7, { type: 'body', metatype: String, data: 'name' }],
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
    expect(error).toMatchObject({ code: 'validation_failed', message: 'The body must be a JSON object.' });
  });

  it('may be a part of it, whose problems are told with its place', async () => {
    const part = { type: 'body', metatype: Visit, data: 'visit' } as const;
    expect(await errorOf({ note: 7 }, part)).toMatchObject({ details: [{ field: '/visit/note' }] });
    expect(await errorOf(undefined, part)).toMatchObject({ message: '/visit must be a JSON object.' });
  });
});
