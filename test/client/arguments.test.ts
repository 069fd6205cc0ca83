import { afterAll, describe, expect, it } from 'vitest';
import { PetStoreClient } from '../../client/src/index.js';
import { all } from './all.js';
import { answer, ScriptedServer } from './scripted-server.js';

type Call = (client: PetStoreClient) => Promise<unknown>;

const PET = { id: 1, name: 'Rex', categoryId: 7, status: 'sold' };
const rex = { name: 'Rex', categoryId: 7n };
const page = answer(200, [PET], { Link: '</v1/pets>; rel="first"' });
const nothing = null as never;

const server = await ScriptedServer.start();
afterAll(() => server.stop());
const options = { baseUrl: `${server.origin}/v1`, apiKey: 'psk_test_key', onDeprecated: () => undefined };
const client = new PetStoreClient(options);
const urls = () => server.arrivals.map(({ url }) => url);

describe('null in place of an option that may be left out', () => {
  const CALLS: Record<string, Call> = {
    'pets.list': ({ pets }) => all(pets.list(nothing)),
    'pets.listPage': ({ pets }) => pets.listPage(nothing),
    'pets.create': ({ pets }) => pets.create(rex, nothing),
    'pets.get': ({ pets }) => pets.get(1n, nothing),
    'orders.list': ({ orders }) => all(orders.list(nothing)),
    'orders.listPage': ({ orders }) => orders.listPage(nothing),
    'orders.create': ({ orders }) => orders.create({ petId: 1n }, nothing),
    'orders.get': ({ orders }) => orders.get(1n, nothing),
    'orders.update': ({ orders }) => orders.update(1n, { status: 'approved' }, nothing),
    list: (all_) => all(all_.list('/undocumented', nothing)),
    listPage: (all_) => all_.listPage('/undocumented', nothing),
    toArray: ({ pets }) => pets.list().toArray(nothing),
    get: (verbs) => verbs.get('/undocumented', nothing),
    post: (verbs) => verbs.post('/undocumented', {}, nothing),
    patch: (verbs) => verbs.patch('/undocumented/1', {}, nothing),
    delete: (verbs) => verbs.delete('/undocumented/1', nothing),
  };
  it.each(Object.entries(CALLS))('means no options: %s', async (_, call) => {
    server.does(page);
    await call(client);
    expect(server.arrivals.length).toBe(1);
    expect(server.arrivals[0]?.url).not.toMatch(/null|\?/);
  });

  it('leaves out a filter, a page size, a cursor and a parameter of a query', async () => {
    server.does(page);
    const empty = { status: nothing, pageSize: nothing, cursor: nothing, headers: nothing, signal: nothing };
    await client.pets.listPage({ ...empty, id: nothing, maxTries: nothing });
    await all(client.orders.list({ ...empty, petId: nothing }));
    await client.get('/undocumented', { query: { name: null, none: undefined } });
    await client.get('/undocumented', { query: nothing });
    await all(client.list('/undocumented', { query: { name: null, cursor: null } }));
    expect(urls()).toEqual([
      '/v1/pets',
      '/v1/store/orders',
      '/v1/undocumented',
      '/v1/undocumented',
      '/v1/undocumented',
    ]);
  });

  it('does not become an idempotency key', async () => {
    server.does(answer(201, PET));
    await client.pets.create(rex, { idempotencyKey: nothing });
    await client.post('/undocumented', {}, { idempotencyKey: nothing });
    for (const { headers } of server.arrivals) expect(headers['idempotency-key']).toMatch(/^"[\da-f]{32}"$/);
  });

  it('stands for the default of an option of the client', async () => {
    server.does(answer(201, PET));
    const defaults = {
      logger: nothing,
      onDeprecated: nothing,
      fetch: nothing,
      sleep: nothing,
      random: nothing,
    };
    await new PetStoreClient({ ...options, ...defaults, maxTries: nothing }).pets.create(rex);
    expect(server.arrivals.length).toBe(1);
  });
});

describe('the filter id', () => {
  it.each([
    [1n, '/v1/pets?id=1'],
    [[1n, 2n], '/v1/pets?id=1%2C2'],
  ])('may be one id or several: %s', async (id, url) => {
    server.does(page);
    await client.pets.listPage({ id });
    expect(await all(client.pets.list({ id }))).toHaveLength(1);
    expect(urls()).toEqual([url, url]);
  });
});

describe('a list in a query', () => {
  it('repeats the parameter for each item, and keeps an empty list and an empty text', async () => {
    server.does(page);
    const id = [1n, 2n ** 63n - 1n];
    await client.get('/undocumented?id=7', { query: { id, name: ['a,b', 'c&d'] } });
    await client.get('/undocumented', { query: { id: [], name: '' } });
    await client.listPage('/pets', { query: { id: 5n } });
    expect(urls()).toEqual([
      '/v1/undocumented?id=1&id=9223372036854775807&name=a%2Cb&name=c%26d',
      '/v1/undocumented?id=&name=',
      '/v1/pets?id=5',
    ]);
  });
});

describe('an argument that is wrong', () => {
  const OBJECT = 'must be an object, such as { maxTries: 1 }.';
  const QUERY = 'query must be an object, such as { limit: 5 }.';
  const WRONG: Record<string, [call: Call, message: string]> = {
    'a text in place of the options of a list': [
      ({ pets }) => pets.listPage('sold' as never),
      `The options of listPets ${OBJECT}`,
    ],
    'an id in place of the options of a list': [
      ({ orders }) => all(orders.list(7n as never)),
      `The options of listOrders ${OBJECT}`,
    ],
    'a text in place of the options of a creation': [
      ({ pets }) => pets.create(rex, 'key' as never),
      `The options of createPet ${OBJECT}`,
    ],
    'a number in place of the options of a path': [
      (verbs) => verbs.get('/undocumented', 5 as never),
      `The options of GET /undocumented ${OBJECT}`,
    ],
    'a number in place of the options of toArray': [
      ({ pets }) => pets.list().toArray(5 as never),
      'The options of toArray must be an object, such as { limit: 100 }.',
    ],
    'an id that is text': [({ pets }) => pets.listPage({ id: '1' as never }), 'id must be a bigint, such as'],
    'a list with an id that is text': [
      ({ pets }) => pets.listPage({ id: ['1'] as never }),
      'id must be a bigint, such as',
    ],
    'no pet': [({ pets }) => pets.create(nothing), 'categoryId must be a bigint, such as'],
    'no order': [({ orders }) => orders.create(nothing), 'petId must be a bigint, such as'],
    'no change': [({ orders }) => orders.update(1n, nothing), 'updateOrder needs an object to send.'],
    'a signal that is not one': [
      ({ pets }) => pets.listPage({ signal: new AbortController() as never }),
      'signal must be an AbortSignal.',
    ],
    'headers that are text': [
      ({ pets }) => pets.listPage({ headers: 'X-Request-Id: 1' as never }),
      'headers must be names and texts that HTTP allows: ',
    ],
    'a header with a line break': [
      ({ pets }) => pets.listPage({ headers: { 'X-Request-Id': 'a\nb' } }),
      'headers must be names and texts that HTTP allows: ',
    ],
    'a text as the query': [(verbs) => verbs.get('/undocumented', { query: 'limit=5' as never }), QUERY],
    'URLSearchParams as the query': [
      (verbs) => verbs.get('/undocumented', { query: new URLSearchParams('limit=5') as never }),
      QUERY,
    ],
    'a number that is not finite': [
      (verbs) => verbs.get('/undocumented', { query: { limit: Number.NaN } }),
      'limit must be a finite number.',
    ],
    'null in a list': [
      (verbs) => verbs.get('/undocumented', { query: { id: [1n, nothing] } }),
      'id must not have null or undefined in its list.',
    ],
    'an invalid date in a query': [
      (verbs) => verbs.get('/undocumented', { query: { from: new Date('soon') } }),
      'A Date to send is invalid.',
    ],
    'an invalid date in a body': [
      (verbs) => verbs.post('/undocumented', { from: new Date('soon') }),
      'A Date to send is invalid.',
    ],
  };
  it.each(Object.entries(WRONG))(
    'is named by the error, and nothing is sent: %s',
    async (_, [call, message]) => {
      server.does(page);
      const failure: unknown = await call(client).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect((failure as Error).message).toContain(message);
      expect(server.arrivals).toEqual([]);
    },
  );

  it.each<[string, unknown, string]>([
    ['a URL', 'http://127.0.0.1/v1', 'The options of the client must be an object, such as { baseUrl: '],
    ['a fetch that is not a function', { ...options, fetch: {} }, 'fetch must be a function.'],
    ['a sleep that is not a function', { ...options, sleep: 5 }, 'sleep must be a function.'],
    ['a random that is not a function', { ...options, random: 0.5 }, 'random must be a function.'],
    [
      'an onDeprecated that is not a function',
      { ...options, onDeprecated: {} },
      'onDeprecated must be a function.',
    ],
    [
      'a logger without functions',
      { ...options, logger: {} },
      'logger must have the functions debug and warn.',
    ],
  ])('prevents that a client is made: %s', (_, wrong, message) => {
    expect(() => new PetStoreClient(wrong as never)).toThrow(message);
  });
});
