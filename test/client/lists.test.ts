import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type List, listPets, type Pet, PetStoreClient, Transport } from '../../client/src/index.js';
import { all } from './all.js';
import { answer, ScriptedServer } from './scripted-server.js';

const server = await ScriptedServer.start();
afterAll(() => server.stop());

/** Serves the pets 3, 2 and 1, one on each page, to as many requests as come. */
const pages = () =>
  server.does((response, arrival) => {
    const cursor = new URL(arrival.url, server.origin).searchParams.get('cursor') ?? '3';
    const id = Number(cursor);
    const next = id > 1 ? `<${arrival.url.split('?')[0]}?cursor=${id - 1}>; rel="next", ` : '';
    answer(200, [{ id }], { Link: `${next}</v1/pets>; rel="first"` })(response, arrival);
  });
const idOf = ({ id }: { readonly id: bigint }) => id;
const idsOf = async (pets: AsyncIterable<Pet>) => (await all(pets)).map(idOf);

describe('a list', () => {
  const options = { baseUrl: `${server.origin}/v1`, apiKey: 'psk_test_key' };
  const client = new PetStoreClient(options);
  let list: List<Pet>;
  beforeEach(() => {
    pages();
    list = client.pets.list();
  });

  it('can be read by several loops, each of which begins at its start', async () => {
    expect([await idsOf(list), await idsOf(list)]).toEqual([
      [3n, 2n, 1n],
      [3n, 2n, 1n],
    ]);
    for await (const { id } of list) if (id === 3n) break;
    expect(await idsOf(list)).toEqual([3n, 2n, 1n]);
  });

  it('can be read by loops inside of each other', async () => {
    const pairs: bigint[][] = [];
    for await (const { id } of list) for await (const other of list) pairs.push([id, other.id]);
    expect(pairs.length).toBe(9);
  });

  it('is continued by a loop after next(), as a generator is', async () => {
    expect((await list.next()).value).toMatchObject({ id: 3n });
    expect(await idsOf(list)).toEqual([2n, 1n]);
    expect(await idsOf(list)).toEqual([3n, 2n, 1n]);
  });

  it('is read from its start after next() has come to its end', async () => {
    while (!(await list.next()).done);
    expect(await list.next()).toEqual({ done: true, value: undefined });
    expect(await idsOf(list)).toEqual([3n, 2n, 1n]);
  });

  it('gives next() inside a loop the item after the item of the loop', async () => {
    for await (const { id } of list) {
      const { value } = await list.next();
      expect([id, value]).toMatchObject(id === 3n ? [3n, { id: 2n }] : [1n, undefined]);
    }
  });

  it('is an array with toArray(), which may be called again', async () => {
    expect((await list.toArray()).map(idOf)).toEqual([3n, 2n, 1n]);
    expect((await list.toArray({ limit: 5 })).map(idOf)).toEqual([3n, 2n, 1n]);
    const alone = listPets(new Transport(options));
    expect((await alone.toArray({ limit: 2 })).map(idOf)).toEqual([3n, 2n]);
  });

  it.each([
    [0, 0],
    [1, 1],
    [2, 2],
  ])('requests only the pages that toArray({ limit: %i }) needs', async (limit, requests) => {
    expect((await list.toArray({ limit })).length).toBe(limit);
    expect(server.arrivals.length).toBe(requests);
  });

  it.each<[string, object, string]>([
    ['a negative limit', { limit: -1 }, 'limit must be a whole number from 0 to 9007199254740991.'],
    ['a mistyped option', { limti: 1 }, 'limti is no option of toArray.'],
  ])('rejects %s of toArray', async (_, wrong, message) => {
    await expect(list.toArray(wrong)).rejects.toThrow(message);
    expect(server.arrivals).toEqual([]);
  });
});

describe('a list by its path', () => {
  const client = new PetStoreClient({
    baseUrl: `${server.origin}/v1`,
    apiKey: 'psk_test_key',
    maxTries: 1,
    logger: { debug: (_, { operation }) => operations.push(operation), warn: () => undefined },
  });
  const operations: string[] = [];
  beforeEach(() => {
    pages();
    operations.splice(0);
  });

  it('is read page by page, with its query', async () => {
    const things = client.list('/undocumented', { query: { keeperId: 7n, open: true } });
    expect(await all(things)).toEqual([{ id: 3n }, { id: 2n }, { id: 1n }]);
    expect(server.arrivals.map(({ url }) => url)).toEqual([
      '/v1/undocumented?keeperId=7&open=true',
      '/v1/undocumented?keeperId=7&open=true&cursor=2',
      '/v1/undocumented?keeperId=7&open=true&cursor=1',
    ]);
    expect(new Set(operations)).toEqual(new Set(['GET /undocumented']));
    expect((await things.toArray({ limit: 1 })).length).toBe(1);
  });

  it('begins at the cursor of its query', async () => {
    expect(await all(client.list('/undocumented', { query: { cursor: '2' } }))).toEqual([
      { id: 2n },
      { id: 1n },
    ]);
  });

  it('is also available as single pages', async () => {
    const { items, nextCursor } = await client.listPage('/undocumented', { query: { limit: 1 } });
    expect([items, nextCursor]).toEqual([[{ id: 3n }], '2']);
    const last = await client.listPage('/undocumented', { query: { cursor: '1' } });
    expect(last).toEqual({ items: [{ id: 1n }], nextCursor: undefined });
  });

  it('takes the options of each call', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(client.list('/undocumented', { signal }).toArray()).rejects.toThrow('too late');
    const wrong = client.list('/undocumented', { pageSize: 5 } as never);
    await expect(wrong.toArray()).rejects.toThrow('pageSize is no option of GET /undocumented.');
    expect(server.arrivals).toEqual([]);
  });

  it('reports an error if the path has no list', async () => {
    server.does(answer(200, { id: 1 }));
    await expect(client.list('/undocumented/1').toArray()).rejects.toMatchObject({
      code: 'unexpected_answer',
      message: `${server.origin} answered 200 with no page of a list.`,
    });
  });
});
