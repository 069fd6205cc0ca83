import { Query } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { Paged, PageQuery, type Paging, SharedPages } from '../../../../../src/platform/http/index.js';
import { isCachedQueryClass, QueryCache } from '../../../../support/rooms/http.js';

class Pets {
  name?: string;
  since?: Date;

  get size(): number {
    return this.name!.length;
  }
}

/** A cache that counts its validations. */
function counted() {
  const cache = new QueryCache();
  let count = 0;
  const read = (query: object) =>
    cache.get(query, async () => {
      count += 1;
      return Object.assign(Object.create(Pets.prototype) as Pets, query);
    });
  return { read, count: () => count };
}
const ofLength = (length: number) => ({ name: 'x'.repeat(length - '{"name":""}'.length) });

describe('the cache of queries', () => {
  it('returns a known query without a check, as a new object for each request', async () => {
    const { read, count } = counted();
    const all = [await read({ name: 'Rex' }), await read({ name: 'Rex' }), await read({ name: 'Rex' })];
    for (const query of all) {
      expect(query).toBeInstanceOf(Pets);
      expect(query).toMatchObject({ name: 'Rex', size: 3 });
      (query as Pets).name = 'changed';
    }
    expect(count()).toBe(1);
  });

  it('caches texts, numbers and bigints, but no values that a handler could change', async () => {
    const { read, count } = counted();
    for (let i = 0; i < 2; i++) await read({ name: 'x', limit: 5, owner: '7' });
    expect(count()).toBe(1);
    for (let i = 0; i < 2; i++) await read({ since: new Date(0) });
    for (let i = 0; i < 2; i++) await read({ name: ['x'] });
    for (let i = 0; i < 2; i++) await read({ name: 'x', since: new Date(0) });
    expect(count()).toBe(7);
  });

  it('caches a query without its cursor, because every text is a valid cursor', async () => {
    const { read, count } = counted();
    for (const query of [{ cursor: 'a' }, { cursor: 'b' }, {}])
      expect(await read({ name: 'x', ...query })).toEqual(Object.assign(new Pets(), { name: 'x', ...query }));
    expect(count()).toBe(1);
    for (let i = 0; i < 2; i++) await read({ name: 'x', cursor: ['a', 'b'] });
    expect(count()).toBe(3);
  });

  it('does not cache a rejected query', async () => {
    const cache = new QueryCache();
    const refuse = () => Promise.reject(new Error('No.'));
    for (let i = 0; i < 2; i++) await expect(cache.get({ name: 'x' }, refuse)).rejects.toThrow('No.');
  });

  it('caches queries of at most 128 characters', async () => {
    const { read, count } = counted();
    for (const length of [128, 128, 129, 129]) await read(ofLength(length));
    expect(count()).toBe(3);
  });

  it('caches 256 queries, and is emptied before the next one', async () => {
    const { read, count } = counted();
    const queries = Array.from({ length: 256 }, (_, i) => ({ name: `${i}` }));
    for (const query of [...queries, ...queries]) await read(query);
    expect(count()).toBe(256);
    await read({ name: 'next' });
    await read(queries[0]!);
    expect(count()).toBe(258);
  });
});

class Search extends PageQuery {}

class Lists {
  one(@Query() query: Search, @SharedPages() page: Paging) {
    return page(query, () => Promise.resolve({ items: [] }), Object);
  }

  other(@Query() query: Search, @SharedPages() page: Paging) {
    return page(query, () => Promise.resolve({ items: [] }), Object);
  }

  alone(@Query() query: Search, @Paged() page: Paging) {
    return page(query, () => Promise.resolve({ items: [] }), Object);
  }
}

it('the query of a list is cached only if its pages are shared, and separately for each list', () => {
  const typeOf = (handler: keyof Lists) => {
    const [query] = Reflect.getMetadata('design:paramtypes', Lists.prototype, handler) as [typeof Search];
    return query;
  };
  const [one, other, alone] = [typeOf('one'), typeOf('other'), typeOf('alone')];
  expect([one, other, alone, undefined].map(isCachedQueryClass)).toEqual([true, true, false, false]);
  expect(one).not.toBe(other);
  expect([one.name, one.prototype instanceof Search]).toEqual(['Search', true]);
});
