import type { Type } from '@nestjs/common';
import { Query } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { describe, expect, it } from 'vitest';
import {
  DtoValidationPipe,
  InstantField,
  Int64Field,
  MayBeAbsent,
  Paged,
  PageQuery,
  type Paging,
  SharedPages,
} from '../../../../../src/platform/http/index.js';

/** Three lists with one class of queries, which counts how often a query is validated. */
function lists() {
  let count = 0;
  const isCounted = { name: 'isCounted', validator: { validate: () => (count += 1) > 0 } };
  class Pets extends PageQuery {
    @MayBeAbsent()
    @ValidateBy(isCounted)
    name?: unknown;

    @InstantField({ description: 'Since when.', example: '2026-11-20T12:00:00Z', optional: true })
    since?: Date;

    @Int64Field({ description: 'Whose.', example: 7, optional: true })
    owner?: bigint;

    get size(): number {
      return String(this.name).length;
    }
  }
  class Lists {
    one(@Query() _query: Pets, @SharedPages() _page: Paging) {}
    other(@Query() _query: Pets, @SharedPages() _page: Paging) {}
    alone(@Query() _query: Pets, @Paged() _page: Paging) {}
  }
  const pipe = new DtoValidationPipe();
  /** What the pipe makes of a query for the parameter of a handler. */
  const read = (query: object, handler: keyof Lists = 'one') => {
    const [metatype] = Reflect.getMetadata('design:paramtypes', Lists.prototype, handler) as [Type<Pets>];
    return pipe.transform(query, { type: 'query', metatype }) as Promise<Pets>;
  };
  return { Pets, read, count: () => count };
}
const ofLength = (length: number) => ({ name: 'x'.repeat(length - '{"name":""}'.length) });
const invalid = expect.objectContaining({ code: 'invalid_parameter' }) as Error;

describe('the query of a list that shares pages', () => {
  it('is returned without a check if it is known, as a new object for each request', async () => {
    const { Pets, read, count } = lists();
    const all = [await read({ name: 'Rex' }), await read({ name: 'Rex' }), await read({ name: 'Rex' })];
    for (const query of all) {
      expect(query).toBeInstanceOf(Pets);
      expect(query).toMatchObject({ name: 'Rex', size: 3 });
      query.name = 'changed';
    }
    expect(count()).toBe(1);
  });

  it('is known if it has texts, numbers and bigints, but no values that a handler could change', async () => {
    const { read, count } = lists();
    for (let i = 0; i < 2; i++)
      expect(await read({ name: 'x', limit: '5', owner: '7' })).toMatchObject({ limit: 5, owner: 7n });
    expect(count()).toBe(1);
    for (let i = 0; i < 2; i++) await read({ name: ['x'] });
    for (let i = 0; i < 2; i++) await read({ name: 'x', since: '2026-11-20T12:00:00Z' });
    expect(count()).toBe(5);
  });

  it('is known without its cursor, because every text is a valid cursor', async () => {
    const { Pets, read, count } = lists();
    for (const query of [{ cursor: 'a' }, { cursor: 'b' }, {}])
      expect(await read({ name: 'x', ...query })).toEqual(Object.assign(new Pets(), { name: 'x', ...query }));
    expect(count()).toBe(1);
    for (let i = 0; i < 2; i++)
      await expect(read({ name: 'x', cursor: ['a', 'b'] })).rejects.toThrow(invalid);
    expect(count()).toBe(3);
  });

  it('is not known after it was rejected', async () => {
    const { read } = lists();
    for (let i = 0; i < 2; i++) await expect(read({ name: 'x', limit: '0' })).rejects.toThrow(invalid);
  });

  it('is known if it has at most 128 characters', async () => {
    const { read, count } = lists();
    for (const length of [128, 128, 129, 129]) await read(ofLength(length));
    expect(count()).toBe(3);
  });

  it('is one of at most 256 that are known, and all are forgotten before the next one', async () => {
    const { read, count } = lists();
    const queries = Array.from({ length: 256 }, (_, i) => ({ name: `${i}` }));
    for (const query of [...queries, ...queries]) await read(query);
    expect(count()).toBe(256);
    await read({ name: 'next' });
    await read(queries[0]!);
    expect(count()).toBe(258);
  });

  it('is known only for its own list, and has the name of its class', async () => {
    const { read, count } = lists();
    const counts: number[] = [];
    for (const handler of ['one', 'one', 'other', 'other', 'alone', 'alone'] as const) {
      expect((await read({ name: 'x' }, handler)).constructor.name).toBe('Pets');
      counts.push(count());
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 4]);
  });
});
