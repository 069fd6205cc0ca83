import type { ArgumentMetadata } from '@nestjs/common';
import { IsIn, IsString, ValidateBy } from 'class-validator';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type ApiException,
  DtoValidationPipe,
  MayBeAbsent,
  PageQuery,
} from '../../../../../src/platform/http/index.js';

class Search extends PageQuery {
  @MayBeAbsent()
  @IsIn(['sold'])
  status?: string;
}

class Visit {
  @IsString()
  note!: string;
}

const parameter = (metatype: ArgumentMetadata['metatype'], data: string): ArgumentMetadata => ({
  type: 'query',
  metatype,
  data,
});
type Schema = NonNullable<ArgumentMetadata['schema']>;
/** A body with a Standard Schema, as other packages have them. */
const schema = (validate: Schema['~standard']['validate']): ArgumentMetadata => ({
  type: 'body',
  schema: { '~standard': { version: 1, vendor: 'a shop', validate } },
});
let pipe: DtoValidationPipe;
// Created for each test, because mutants only take effect there.
beforeEach(() => void (pipe = new DtoValidationPipe()));
const transform = (value: unknown, metadata: ArgumentMetadata) => pipe.transform(value, metadata);
const errorOf = (value: unknown, metadata: ArgumentMetadata) =>
  transform(value, metadata).catch((error: ApiException) => error.answer);

describe('a query', () => {
  const query = { type: 'query', metatype: Search } as const;

  it('becomes a new instance of its class each time', async () => {
    const first = await transform({ limit: '5', status: 'sold' }, query);
    expect(first).toEqual(Object.assign(new Search(), { limit: 5, status: 'sold' }));
    expect(await transform({ limit: '5', status: 'sold' }, query)).not.toBe(first);
    expect(first).not.toHaveProperty('cursor');
  });

  // The query of a list that shares pages: query-cache.test.ts.
  it('is checked each time', async () => {
    let judged = 0;
    class Counted extends PageQuery {
      @MayBeAbsent()
      @ValidateBy({ name: 'isCounted', validator: { validate: () => (judged += 1) > 0 } })
      status?: string;
    }
    const ask = (cursor?: string) =>
      transform({ status: 'sold', ...(cursor && { cursor }) }, { type: 'query', metatype: Counted });
    expect(await ask()).toEqual(await ask());
    expect(await ask()).toBeInstanceOf(Counted);
    expect(await ask('next')).toMatchObject({ status: 'sold', cursor: 'next' });
    expect(judged).toBe(4);
  });

  it('is rejected each time it is invalid', async () => {
    for (let i = 0; i < 2; i++)
      expect(await errorOf({ limit: '0' }, query)).toMatchObject({ details: [{ field: 'query.limit' }] });
    expect(await errorOf({ cursor: ['one', 'two'] }, query)).toMatchObject({
      details: [{ field: 'query.cursor', message: 'must be a string' }],
    });
  });

  it('is rejected for an unknown parameter, whatever other problems it has', async () => {
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
});

describe('a parameter whose name every object has', () => {
  it.each(['__proto__', 'constructor', 'prototype', 'toString'])(
    'is unknown like any other parameter: %s',
    async (name) => {
      const given = JSON.parse(`{"${name}":"x"}`) as object;
      expect(await errorOf(given, { type: 'query', metatype: Search })).toMatchObject({
        code: 'unknown_parameter',
        details: [{ field: `query.${name}`, message: 'is not known; known are cursor, limit, status' }],
      });
    },
  );
});

describe('a single parameter', () => {
  it.each<[unknown, ArgumentMetadata, string]>([
    [['a', 'b'], parameter(String, 'note'), 'query.note must be given once.'],
    ['x', parameter(Number, 'page'), 'query.page must be a number, given once.'],
    ['9007199254740993', parameter(Number, 'page'), 'query.page must be a number, given once.'],
    ['x5', parameter(Number, 'page'), 'query.page must be a number, given once.'],
    ['5e1', parameter(Number, 'page'), 'query.page must be a number, given once.'],
    ['x', { type: 'param', metatype: Number, data: 'page' }, 'path.page must be a number, given once.'],
    ['yes', parameter(Boolean, 'all'), 'query.all must be true or false, given once.'],
  ])('is rejected when it does not have its declared type: %j', async (value, metadata, message) => {
    expect(await errorOf(value, metadata)).toMatchObject({
      code: 'invalid_parameter',
      message,
      details: [{ code: 'invalid_type' }],
    });
  });

  it.each<[unknown, ArgumentMetadata, result?: unknown]>([
    ['5', parameter(Number, 'page'), 5],
    ['-12.75', parameter(Number, 'page'), -12.75],
    ['true', parameter(Boolean, 'page'), true],
    ['false', parameter(Boolean, 'page'), false],
    ['a', parameter(String, 'note')],
    [undefined, parameter(String, 'note')],
    [undefined, parameter(Number, 'page')],
    [['a', 'b'], parameter(Array, 'note')],
    [{ note: 7 }, parameter(Visit, 'visit')],
    [7, parameter(undefined, 'note')],
    [7, { type: 'body', metatype: String, data: 'name' }],
    [['a', 'b'], { type: 'body', metatype: String, data: 'name' }],
    [7, { type: 'custom', metatype: Visit }],
    [['a', 'b'], { type: 'custom', metatype: String, data: 'note' }],
    [{ note: 7 }, { type: 'body', metatype: Map }],
    [7, { type: 'body', metatype: undefined }],
    ['x', { type: 'query', metatype: Number }],
  ])('gets its declared type, or is left to later pipes: %j', async (value, metadata, result) => {
    expect(await transform(value, metadata)).toBe(result ?? value);
  });
});

describe('a body', () => {
  it.each([null, [], 'x', 7])('is rejected as %j', async (value) => {
    const error = await errorOf(value, { type: 'body', metatype: Visit });
    expect(error).toMatchObject({
      code: 'validation_failed',
      message: 'The body must be a JSON object.',
      details: [{ field: '', code: 'invalid_type', message: 'The body must be a JSON object' }],
    });
  });

  it('may be a part of the body, whose problems are reported with their place', async () => {
    const part = { type: 'body', metatype: Visit, data: 'visit' } as const;
    expect(await errorOf({ note: 7 }, part)).toMatchObject({ details: [{ field: '/visit/note' }] });
    expect(await errorOf(undefined, part)).toMatchObject({ message: '/visit must be a JSON object.' });
  });

  it('with a schema has the problems that the schema finds, with their place', async () => {
    const named = schema((given) =>
      given === 'Rex'
        ? { value: 'REX' }
        : {
            issues: [
              { message: 'must be Rex.' },
              { message: 'weighs 1.5 kg', path: ['parts', 1, { key: 'a/b' }] },
            ],
          },
    );
    expect(await transform('Rex', named)).toBe('REX');
    expect(await errorOf('Max', named)).toMatchObject({
      code: 'validation_failed',
      details: [
        { field: '', code: 'invalid_value', message: 'must be Rex' },
        { field: '/parts/1/a~1b', code: 'invalid_value', message: 'weighs 1.5 kg' },
      ],
    });
  });

  it('with a schema is rejected if it is an integer that a number does not hold', async () => {
    const any = schema((value) => ({ value }));
    for (const exact of [2 ** 53 - 1, 0.5, 'Rex']) expect(await transform(exact, any)).toBe(exact);
    for (const rounded of [2 ** 53, -(2 ** 53)])
      expect(await errorOf(rounded, any)).toMatchObject({
        details: [
          {
            field: '',
            code: 'out_of_range',
            message: 'must be from -9007199254740991 to 9007199254740991',
          },
        ],
      });
  });

  it('is not the only parameter that may have a schema', async () => {
    const { schema: any } = schema((value) => ({ value }));
    const query = { limit: '5' };
    expect(await transform(query, { type: 'query', schema: any! })).toBe(query);
  });

  it('whose schema fails is a fault of the service', async () => {
    const bug = new Error('a bug');
    const broken = schema(() => {
      throw bug;
    });
    await expect(transform('Rex', broken)).rejects.toBe(bug);
  });
});
