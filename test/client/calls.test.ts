import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Logger, PetStoreClient, type PetStoreOptions } from '../../client/src/index.js';
import { all } from './all.js';
import { answer, drop, keepSilent, refuse, ScriptedServer } from './scripted-server.js';

const PET = '{"id":7,"name":"Rex","categoryId":9223372036854775807,"status":"available"}';
const LINK = '<http://elsewhere.example/v1/pets?limit=1&cursor=Mg>; rel="next", </v1/pets>; rel="first"';
const page = answer(200, `[${PET}]`, { Link: LINK, 'X-Request-Id': 'r-1' });

const server = await ScriptedServer.start();
afterAll(() => server.stop());

describe('a call', () => {
  let logged: { message: string; details: Record<string, unknown> }[];
  const warnings: string[] = [];
  const logger: Logger = {
    debug: (message, details) => logged.push({ message, details: { ...details } }),
    warn: (message) => warnings.push(message),
  };
  const client = (options: Partial<PetStoreOptions> = {}) => {
    logged = [];
    return new PetStoreClient({
      baseUrl: `${server.origin}/v1`,
      apiKey: 'psk_test_key',
      sleep: () => Promise.resolve(),
      random: () => 0.5,
      logger,
      ...options,
    });
  };
  afterEach(() => void warnings.splice(0));

  it('returns one page with the cursor of the next one, and continues from a cursor', async () => {
    server.does(page, answer(200, '[]', { Link: '</v1/pets>; rel="first"' }));
    const { pets } = client();
    const first = await pets.listPage({ status: 'available', pageSize: 1 });
    expect([first.items.length, first.nextCursor]).toEqual([1, 'Mg']);
    expect(await pets.listPage({ status: 'available', cursor: first.nextCursor })).toEqual({
      items: [],
      nextCursor: undefined,
    });
    expect(await all(pets.list({ cursor: 'Mw', pageSize: 5 }))).toEqual([]);
    expect(server.arrivals.map(({ url }) => url)).toEqual([
      '/v1/pets?status=available&limit=1',
      '/v1/pets?status=available&cursor=Mg',
      '/v1/pets?limit=5&cursor=Mw',
    ]);
  });

  it('returns the response that its result came from', async () => {
    server.does(page);
    const { data, response } = await client().pets.listPage().withResponse();
    expect(data.nextCursor).toBe('Mg');
    expect(response).toMatchObject({ status: 200, requestId: 'r-1', text: `[${PET}]` });
    expect(response.headers.get('link')).toBe(LINK);
    expect(response.url.href).toBe(`${server.origin}/v1/pets`);
  });

  it('fails once, whether or not the caller asks for the response', async () => {
    server.does(refuse(404, 'pet_not_found', { 'X-Request-Id': 'r-2' }));
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    const failure = { code: 'pet_not_found', requestId: 'r-2', response: { status: 404 } };
    await expect(client().pets.get(1n).withResponse()).rejects.toMatchObject(failure);
    await expect(client().pets.get(1n)).rejects.toMatchObject(failure);
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('returns results that JSON.stringify writes, with every digit of an int64 as text', async () => {
    server.does(page);
    const { pets } = client();
    const text = '{"id":"7","name":"Rex","categoryId":"9223372036854775807","status":"available"}';
    const result = await pets.listPage();
    expect(JSON.stringify(result)).toBe(`{"items":[${text}],"nextCursor":"Mg"}`);
    const [pet] = result.items;
    expect(Object.keys(pet!)).toEqual(['id', 'name', 'categoryId', 'status']);
    expect(structuredClone(pet)).toEqual(pet);
    server.does(answer(201, PET));
    await pets.create(pet!);
    expect(server.arrivals[0]?.body).toBe(PET);
  });

  it('may set its own number of tries, time limits and headers', async () => {
    server.does(refuse(503, 'overloaded'));
    await expect(client().pets.listPage({ maxTries: 2 })).rejects.toMatchObject({ status: 503 });
    expect(server.arrivals.length).toBe(2);
    server.does(refuse(429, 'rate_limited', { 'Retry-After': '2' }));
    await expect(client().pets.listPage({ maxWaitMs: 1_999 })).rejects.toMatchObject({ retryAfter: 2 });
    expect(server.arrivals.length).toBe(1);
    server.does(keepSilent);
    const unanswered = client().pets.listPage({ timeoutMs: 50, maxTries: 1 });
    await expect(unanswered).rejects.toMatchObject({ tries: 1, cause: { name: 'TimeoutError' } });
    server.does(page);
    await client().pets.listPage({ headers: { 'X-Request-Id': 'mine', 'User-Agent': 'shop/2' } });
    expect(server.arrivals[0]?.headers).toMatchObject({ 'x-request-id': 'mine', 'user-agent': 'shop/2' });
  });

  it('sends the name and version of the client as User-Agent', async () => {
    const { version } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../client/package.json'), 'utf8'),
    ) as { version: string };
    server.does(page);
    await client().pets.listPage();
    const { navigator } = globalThis as { navigator?: { userAgent: string } };
    expect(server.arrivals[0]?.headers['user-agent']).toBe(
      [`petstore-client/${version}`, navigator?.userAgent].filter(Boolean).join(' '),
    );
  });

  it('leaves User-Agent to a browser', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11)' });
    const browser = client();
    vi.unstubAllGlobals();
    server.does(page);
    await browser.pets.listPage();
    expect(server.arrivals[0]?.headers['user-agent']).not.toContain('petstore');
  });

  it('logs each try, without the key', async () => {
    server.does(drop, refuse(503, 'overloaded', { 'X-Request-Id': 'r-3' }), answer(201, PET));
    await client().pets.create({ name: 'Rex', categoryId: 7n });
    const url = `${server.origin}/v1/pets`;
    const common = { operation: 'createPet', method: 'POST', url, durationMs: expect.any(Number) as number };
    expect(logged.map(({ details }) => details)).toEqual([
      { ...common, tries: 1, waitMs: 250, error: expect.any(TypeError) as TypeError },
      { ...common, tries: 2, waitMs: 500, status: 503, requestId: 'r-3' },
      { ...common, tries: 3, status: 201 },
    ]);
    expect(logged.map(({ message }) => message.replace(/\d+ ms,/, 'N ms,'))).toEqual([
      `createPet: POST ${url}: no answer (TypeError: fetch failed) after N ms, again in 250 ms`,
      `createPet: POST ${url}: 503 after N ms, again in 500 ms`,
      expect.stringMatching(/^createPet: POST \S+: 201 after \d+ ms$/),
    ]);
    expect(JSON.stringify(logged)).not.toContain('psk_test_key');
  });

  it('warns of a deprecated operation once, unless onDeprecated is set', async () => {
    const link = '</docs/deprecations>; rel="deprecation"';
    const ending = { Deprecation: '@1795132800', Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', Link: link };
    server.does(answer(200, PET, ending));
    const warning = `@petstore/client: getPet is deprecated and ends on 2030-12-05, see ${server.origin}/docs/deprecations.`;
    const { pets } = client();
    await pets.get(1n);
    await pets.get(2n);
    expect(warnings.splice(0)).toEqual([warning]);
    await client({ onDeprecated: () => undefined }).pets.get(1n);
    expect(warnings).toEqual([]);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await client({ logger: undefined }).pets.get(1n);
    expect(warn.mock.calls).toEqual([[warning]]);
    warn.mockRestore();
  });

  const pet = { name: 'Rex', categoryId: 7n };
  const WRONG: Record<string, (client: PetStoreClient) => Promise<unknown>> = {
    'an id that is text': ({ pets }) => pets.get('../keys' as never),
    'an id that has lost digits': ({ pets }) => pets.get((2 ** 53) as never),
    'no pet': ({ pets }) => pets.create(undefined as never),
    'a category id that is text': ({ pets }) => pets.create({ ...pet, categoryId: '7' as never }),
    'a missing pet id': ({ orders }) => orders.create({} as never),
    'a missing order id': ({ orders }) => orders.update(undefined as never, { status: 'approved' }),
    'no order id': ({ orders }) => orders.get(undefined as never),
    'no change': ({ orders }) => orders.update(1n, undefined as never),
    'a page size that is not a number': ({ pets }) => pets.listPage({ pageSize: Number.NaN }),
    'an idempotency key with quotes': ({ pets }) => pets.create(pet, { idempotencyKey: 'a"b' }),
    'an empty idempotency key': ({ pets }) => pets.create(pet, { idempotencyKey: '' }),
    'no tries': ({ pets }) => pets.listPage({ maxTries: 0 }),
    'an endless timeout': ({ orders }) => all(orders.list({ timeoutMs: Infinity })),
    'a mistyped filter': ({ pets }) => all(pets.list({ stauts: 'sold' } as never)),
    'an idempotency key that would not be sent': ({ orders }) =>
      orders.update(1n, { status: 'approved' }, { idempotencyKey: 'k' } as never),
    'another key': ({ pets }) => pets.listPage({ headers: { authorization: 'Bearer other' } }),
    'a header with a line break': ({ pets }) => pets.listPage({ headers: { 'X-Request-Id': 'a\nb' } }),
  };
  for (const [what, call] of Object.entries(WRONG)) {
    it(`sends nothing with ${what}`, async () => {
      server.does(page);
      const failure: unknown = await call(client()).catch((error: unknown) => error);
      expect(failure instanceof TypeError || failure instanceof RangeError, String(failure)).toBe(true);
      expect(server.arrivals).toEqual([]);
    });
  }
});

describe('the settings of the client', () => {
  afterEach(() => void vi.unstubAllEnvs());
  type Values = Record<'url' | 'key', string | undefined>;
  const make = (variables: Values, options?: Partial<Values>) => {
    vi.stubEnv('PETSTORE_URL', variables.url);
    vi.stubEnv('PETSTORE_API_KEY', variables.key);
    return new PetStoreClient(options && { baseUrl: options.url, apiKey: options.key });
  };
  const url = `${server.origin}/v1`;
  const key = 'psk_test_variable';

  it.each<[string, Partial<Values> | undefined]>([
    ['/v1', undefined],
    ['/v1', {}],
    ['/other', { url: `${server.origin}/other/` }],
    ['/v1', { key: 'psk_test_option' }],
  ])(
    'are options, or else the variables PETSTORE_URL and PETSTORE_API_KEY: %s, %j',
    async (path, options) => {
      server.does(answer(200, {}));
      await make({ url: `${url}/`, key }, options).get('/undocumented');
      expect(server.arrivals[0]?.url).toBe(`${path}/undocumented`);
      expect(server.arrivals[0]?.headers.authorization).toBe(`Bearer ${options?.key ?? key}`);
    },
  );

  const NO_KEY = 'There is no API key: give the option apiKey, or set PETSTORE_API_KEY in the environment.';
  const NO_URL = 'There is no base URL: give the option baseUrl, or set PETSTORE_URL in the environment.';
  const like = (name: string) => `${name} must be an address like https://petstore.example/v1.`;
  const empty = (name: string) => `${name} is empty or has characters that no key has.`;
  it.each<[Values, Partial<Values>, string]>([
    [{ url, key: undefined }, {}, NO_KEY],
    [{ url, key: '' }, {}, empty('PETSTORE_API_KEY')],
    [{ url, key: 'psk_secret\n' }, {}, empty('PETSTORE_API_KEY')],
    [{ url, key }, { key: '' }, empty('apiKey')],
    [{ url: undefined, key }, {}, NO_URL],
    [{ url: '', key }, {}, like('PETSTORE_URL')],
    [{ url: 'localhost:3000/v1', key }, {}, like('PETSTORE_URL')],
    [{ url, key }, { url: '' }, like('baseUrl')],
    [{ url, key }, { url: null as never }, like('baseUrl')],
  ])('are rejected for the variables %j and the options %j', (variables, options, message) => {
    expect(() => make(variables, options)).toThrow(new TypeError(message));
  });

  it('are missing without an environment, and the message then names only the options', () => {
    vi.stubGlobal('process', undefined);
    try {
      expect(() => new PetStoreClient()).toThrow('There is no base URL: give the option baseUrl.');
      expect(() => new PetStoreClient({ baseUrl: url })).toThrow(
        'There is no API key: give the option apiKey.',
      );
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
