import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type ErrorCode, PetStoreClient, PetStoreError } from '../../client/src/index.js';
import { answer, breakOff, drop, refuse, ScriptedServer, type Step } from './scripted-server.js';

const API = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');
const ROW = /^\| (\d{3}) +\| `(\w+)` +\|.*\| (no|yes|safely only) +\|$/gm;
const rows = [...API.matchAll(ROW)].map(([, status, code, again]) => ({
  status: Number(status),
  code: code!,
  again: again!,
}));

const NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionDeniedError',
  404: 'NotFoundError',
  409: 'ConflictError',
  410: 'GoneError',
  412: 'PreconditionFailedError',
  422: 'UnprocessableEntityError',
  429: 'RateLimitError',
  500: 'ServerError',
  503: 'ServerError',
};

const server = await ScriptedServer.start();
afterAll(() => server.stop());

describe('the client repeats exactly the requests that docs/api.md says may be repeated', () => {
  const sleep = () => Promise.resolve();
  const client = new PetStoreClient({ baseUrl: `${server.origin}/v1`, apiKey: 'key', maxTries: 3, sleep });
  const SAFE = {
    'GET pets': () => client.pets.listPage(),
    'GET pet': () => client.pets.get(1n),
    'GET orders': () => client.orders.listPage(),
    'GET order': () => client.orders.get(1n),
    'POST pet': () => client.pets.create({ name: 'Rex', categoryId: 7n }),
    'POST order': () => client.orders.create({ petId: 7n }),
    'GET by its path': () => client.get('/undocumented'),
    'POST by its path': () => client.post('/undocumented', { name: 'Ada' }),
    'DELETE by its path': () => client.delete('/undocumented/1'),
  };
  const UNSAFE = {
    'PATCH order': () => client.orders.update(1n, { status: 'approved' }),
    'PATCH by its path': () => client.patch('/undocumented/1', { name: 'Ada' }),
  };

  /** The distinct numbers of requests that a call sends when every response is the same. */
  async function arrivals(calls: Record<string, () => Promise<unknown>>, step: Step, error: object) {
    const counts: number[] = [];
    for (const call of Object.values(calls)) {
      server.does(step);
      const failure: unknown = await call().catch((reason: unknown) => reason);
      expect(failure).toMatchObject(error);
      const { name, constructor } = failure as Error;
      expect(constructor.name).toBe(name);
      expect(failure instanceof PetStoreError).toBe(name !== 'PetStoreUnreachable');
      counts.push(server.arrivals.length);
    }
    return [...new Set(counts)];
  }

  const demand = async (step: Step, again: string, error: object) => {
    expect(await arrivals(SAFE, step, error)).toEqual([again === 'no' ? 1 : 3]);
    expect(await arrivals(UNSAFE, step, error)).toEqual([again === 'yes' ? 3 : 1]);
  };

  it('docs/api.md has error codes of each kind', () => {
    expect(new Set(rows.map(({ again }) => again)).size).toBe(3);
    expect(rows.length).toBe([...API.matchAll(/^\| \d{3} +\| `\w+`/gm)].length);
  });

  it.each(rows)('$status $code: $again', async ({ status, code, again }) => {
    await demand(refuse(status, code), again, { name: NAMES[status] ?? 'PetStoreError', status, code });
  });

  // A proxy's response without the service's error body is classified by its status.
  it.each<[string, number[]]>([
    ['yes', [408, 429]],
    ['safely only', [500, 502, 503, 504]],
    ['no', [404, 501]],
  ])('a response of a proxy without an Error body, by its status: %s for %j', async (again, statuses) => {
    for (const status of statuses)
      await demand(answer(status, '<html>'), again, { status, code: 'unexpected_answer' });
  });

  // The proxy shipped with the service has its own error codes, in the service's format.
  const OF_PROXY: [number, ErrorCode][] = [
    [502, 'bad_gateway'],
    [504, 'gateway_timeout'],
  ];
  it.each(OF_PROXY)('%s %s: safely only', async (status, code) => {
    expect(API).toContain(`\`${code}\``);
    await demand(refuse(status, code), 'safely only', { name: 'ServerError', status, code });
  });

  it.each([
    ['a cut connection', drop],
    ['a response that breaks off', breakOff],
  ])('%s: safely only', async (_, step) => {
    await demand(step, 'safely only', { name: 'PetStoreUnreachable' });
  });
});
