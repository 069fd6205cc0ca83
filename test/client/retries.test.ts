import { getEventListeners } from 'node:events';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  PetStoreClient,
  PetStoreError,
  type PetStoreOptions,
  PetStoreUnreachable,
} from '../../client/src/index.js';
import { eventually } from '../support/eventually.js';
import { all } from './all.js';
import { answer, drop, refuse, ScriptedServer, type Step } from './scripted-server.js';

const PET = '{"id":7,"name":"Rex","categoryId":9223372036854775807,"status":"available"}';
const REX = { id: 7n, name: 'Rex', categoryId: 9223372036854775807n, status: 'available' };
const created = answer(201, PET);
const page = answer(200, `[${PET}]`, { Link: '</v1/pets>; rel="first"' });

const server = await ScriptedServer.start();
afterAll(() => server.stop());

describe('the client', () => {
  let waits: number[];

  /** A client that waits without delay, and whose random number is always 0.5. */
  const client = (options: Partial<PetStoreOptions> = {}) => {
    waits = [];
    return new PetStoreClient({
      baseUrl: `${server.origin}/v1`,
      apiKey: 'psk_test_key',
      sleep: (milliseconds) => Promise.resolve(void waits.push(milliseconds)),
      random: () => 0.5,
      ...options,
    });
  };
  const list = (options?: Partial<PetStoreOptions>) => all(client(options).pets.list());
  const create = (options?: Partial<PetStoreOptions>) =>
    client(options).pets.create({ name: 'Rex', categoryId: 9223372036854775807n });
  const failureOf = (call: Promise<unknown>) =>
    call.then(
      () => expect.fail('it succeeded'),
      (error: unknown) => error,
    );
  const keys = () => new Set(server.arrivals.map(({ headers }) => headers['idempotency-key']));

  it('repeats a list, and repeats a creation with the same body under the same key', async () => {
    server.does(drop, refuse(503, 'database_unavailable'), page);
    expect(await list()).toEqual([REX]);
    expect([server.arrivals.length, waits]).toEqual([3, [250, 500]]);
    server.does(drop, refuse(409, 'idempotency_in_progress', { 'Retry-After': '1' }), created);
    expect(await create()).toEqual(REX);
    expect(waits).toEqual([250, 1_500]);
    const body = '{"name":"Rex","categoryId":9223372036854775807}';
    expect(server.arrivals).toMatchObject(Array(3).fill({ method: 'POST', body }));
    expect([...keys()]).toEqual([expect.stringMatching(/^"[\da-f]{32}"$/)]);
  });

  it('waits for Retry-After, plus its own delay', async () => {
    const warnings: string[] = [];
    const logger = { debug: () => undefined, warn: (message: string) => void warnings.push(message) };
    server.does(refuse(429, 'rate_limited', { 'Retry-After': '60' }), page);
    await list({ logger });
    expect(waits).toEqual([60_250]);
    expect(warnings).toEqual([expect.stringMatching(/listPets: .* 429 .*again in 60250 ms$/)]);
  });

  it('waits for a Retry-After that is a date', async () => {
    const future = new Date(Date.now() + 40_000).toUTCString();
    server.does(refuse(503, 'database_unavailable', { 'Retry-After': future }), page);
    await list();
    expect(waits[0]).toBeGreaterThan(20_000);
    expect(waits[0]).toBeLessThanOrEqual(40_250);
  });

  it('gives up at once if Retry-After is longer than the allowed wait, and reports Retry-After', async () => {
    server.does(refuse(429, 'rate_limited', { 'Retry-After': '61', 'X-Request-Id': 'r-1' }));
    const failure = await failureOf(list());
    expect(failure).toBeInstanceOf(PetStoreError);
    expect(failure).toMatchObject({
      code: 'rate_limited',
      status: 429,
      retryAfter: 61,
      requestId: 'r-1',
      details: [],
    });
    expect([server.arrivals.length, waits]).toEqual([1, []]);
  });

  it('waits up to twice as long each time, 10 s at most, and fails with the last response', async () => {
    server.does(refuse(503, 'database_unavailable'));
    expect(await failureOf(list({ maxTries: 8 }))).toMatchObject({
      code: 'database_unavailable',
      status: 503,
    });
    expect(server.arrivals.length).toBe(8);
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  });

  it('waits for a random time, which may be zero', async () => {
    server.does(drop, drop, page);
    await list({ random: () => 0 });
    expect(waits).toEqual([0, 0]);
  });

  it('reports that the server did not respond, the number of tries, and the cause', async () => {
    server.does(drop);
    const failure = await failureOf(create());
    expect(failure).toBeInstanceOf(PetStoreUnreachable);
    expect(failure).toMatchObject({ tries: 4, message: `${server.origin} did not answer, tries: 4.` });
    expect((failure as Error).cause).toBeInstanceOf(TypeError);
    expect([server.arrivals.length, keys().size]).toEqual([4, 1]);
  });

  const CREATIONS: Record<string, (key: string | undefined) => Promise<unknown>> = {
    'pets.create': (idempotencyKey) =>
      client().pets.create({ name: 'Rex', categoryId: 7n }, { idempotencyKey }),
    'orders.create': (idempotencyKey) => client().orders.create({ petId: 7n }, { idempotencyKey }),
    post: (idempotencyKey) => client().post('/undocumented', {}, { idempotencyKey }),
  };
  const FAULTS: [string, Step, string][] = [
    ['no response', drop, 'PetStoreUnreachable'],
    ['500', refuse(500, 'internal_error'), 'ServerError'],
    ['the page of a proxy', answer(502, '<html>'), 'ServerError'],
    ['429', refuse(429, 'rate_limited', { 'Retry-After': '61' }), 'RateLimitError'],
    ['a creation whose response is not JSON', answer(201, '<html>'), 'PetStoreError'],
  ];
  describe.each(Object.entries(CREATIONS))('%s', (_, call) => {
    it.each(FAULTS)('has its idempotency key in the error: %s', async (__, step, name) => {
      server.does(step);
      const failure = await failureOf(call(undefined));
      expect(failure).toMatchObject({
        name,
        idempotencyKey: expect.stringMatching(/^[\da-f]{32}$/) as string,
      });
      const { idempotencyKey } = failure as PetStoreError;
      expect([...keys()]).toEqual([`"${idempotencyKey}"`]);
      expect(await failureOf(call(idempotencyKey))).toMatchObject({ name, idempotencyKey });
    });
  });

  it('has no idempotency key in an error of a call that does not send one', async () => {
    server.does(refuse(500, 'internal_error'));
    expect(await failureOf(list())).toMatchObject({ name: 'ServerError', idempotencyKey: undefined });
    server.does(drop);
    expect(await failureOf(list())).toMatchObject({ tries: 4, idempotencyKey: undefined });
  });

  it('makes errors that JSON.stringify writes, with their message', async () => {
    server.does(refuse(500, 'internal_error', { 'X-Request-Id': 'r-1' }));
    const written = (failure: unknown) => JSON.parse(JSON.stringify({ failure })) as { failure: object };
    const refused = await failureOf(create());
    const { idempotencyKey } = refused as PetStoreError;
    expect(written(refused).failure).toMatchObject({
      name: 'ServerError',
      message: 'This is internal_error.',
      code: 'internal_error',
      status: 500,
      details: [],
      requestId: 'r-1',
      idempotencyKey,
      response: { status: 500, text: expect.stringContaining('internal_error') as string },
    });
    server.does(drop);
    const unreachable = await failureOf(create());
    expect(written(unreachable).failure).toEqual({
      name: 'PetStoreUnreachable',
      message: `${server.origin} did not answer, tries: 4.`,
      tries: 4,
      idempotencyKey: (unreachable as PetStoreUnreachable).idempotencyKey,
    });
  });

  it('ends a request when the caller’s signal aborts, and does not try again', async () => {
    const controller = new AbortController();
    server.does(() => controller.abort(new Error('enough')));
    const call = client().pets.create({ name: 'Rex', categoryId: 7n }, { signal: controller.signal });
    await expect(call).rejects.toThrow('enough');
    expect(server.arrivals.length).toBe(1);
  });

  it('ends a wait when the caller’s signal aborts', async () => {
    const controller = new AbortController();
    server.does(refuse(429, 'rate_limited', { 'Retry-After': '50' }));
    const { pets } = new PetStoreClient({ baseUrl: `${server.origin}/v1`, apiKey: 'key' });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const started = performance.now();
    const ended = expect(all(pets.list({ signal: controller.signal }))).rejects.toThrow('enough');
    await eventually(async () => timers.mock.calls.some(([, ms]) => ms! >= 50_000));
    controller.abort(new Error('enough'));
    await ended;
    expect(performance.now() - started).toBeLessThan(40_000);
    expect(server.arrivals.length).toBe(1);
  });

  it('gives many calls one listener on the signal that they share, and removes it after the last call', async () => {
    const warnings: string[] = [];
    const warn = ({ message }: Error) => warnings.push(message);
    process.on('warning', warn);
    onTestFinished(() => void process.off('warning', warn));
    const { signal } = new AbortController();
    const many = client({ sleep: undefined, random: () => 0, maxTries: 41 });
    const overloaded = refuse(503, 'overloaded');
    server.does(...Array<typeof page>(40).fill(overloaded), page);
    await Promise.all(Array.from({ length: 40 }, () => many.pets.listPage({ signal })));
    await new Promise((resolve) => setImmediate(resolve));
    expect([server.arrivals.length, warnings]).toEqual([80, []]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends all calls that share a signal, also while they wait, with its reason', async () => {
    const controller = new AbortController();
    server.does(refuse(429, 'rate_limited', { 'Retry-After': '50' }));
    const logger = { debug: () => undefined, warn: () => undefined };
    const { pets } = new PetStoreClient({ baseUrl: `${server.origin}/v1`, apiKey: 'key', logger });
    const calls = Array.from({ length: 3 }, () => pets.listPage({ signal: controller.signal }));
    const outcomes = Promise.allSettled(calls);
    await eventually(async () => server.arrivals.length === 3);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await outcomes).toEqual(Array(3).fill({ status: 'rejected', reason }));
  });

  it('sends nothing when the signal was aborted before the call', async () => {
    server.does(page);
    const call = all(client().pets.list({ signal: AbortSignal.abort(new Error('too late')) }));
    await expect(call).rejects.toThrow('too late');
    expect(server.arrivals).toEqual([]);
  });
});
