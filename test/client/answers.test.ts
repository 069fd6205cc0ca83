import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { type Deprecation, PetStoreClient } from '../../client/src/index.js';
import { all } from './all.js';
import { answer, refuse, ScriptedServer } from './scripted-server.js';

const pet = (id: number) => ({ id, name: `Pet ${id}`, categoryId: 7, status: 'sold' });

const server = await ScriptedServer.start();
const elsewhere = await ScriptedServer.start();
afterAll(() => Promise.all([server.stop(), elsewhere.stop()]));

describe('the client', () => {
  const notices: Deprecation[] = [];
  const client = new PetStoreClient({
    baseUrl: `${server.origin}/v1/`,
    apiKey: 'psk_test_secret',
    maxTries: 1,
    onDeprecated: (notice) => notices.push(notice),
  });
  const listed = () => all(client.pets.list());

  it('reads links in every spelling of RFC 8288', async () => {
    const linked = (id: number, Link: string) => answer(200, [pet(id)], { Link });
    server.does(
      linked(4, '</v1/pets?a,b>; title="x, y; rel=\\"z\\""; rel="first", <?cursor=2>;REL=next'),
      linked(3, '<pets?cursor=3>; rel="last Next"; rel="first"'),
      linked(2, `<${server.origin}/v1/pets?cursor=4> ; rel = next, </v1/pets>; rel=first`),
      linked(1, '</v1/pets>; rel="first"; title="rel=next"'),
    );
    expect((await listed()).map(({ id }) => id)).toEqual([4n, 3n, 2n, 1n]);
    expect(server.arrivals.map(({ url }) => url)).toEqual([
      '/v1/pets',
      '/v1/pets?cursor=2',
      '/v1/pets?cursor=3',
      '/v1/pets?cursor=4',
    ]);
  });

  it('takes the cursor from a link to another origin, and sends the next request to its own origin', async () => {
    server.does(
      answer(200, [pet(2)], { Link: `<${elsewhere.origin}/v1/pets?cursor=2>; rel="next"` }),
      answer(200, [pet(1)], { Link: '</v1/pets>; rel="first"' }),
    );
    expect((await listed()).map(({ id }) => id)).toEqual([2n, 1n]);
    expect(elsewhere.arrivals).toEqual([]);
  });

  it('reports an error when a link has no cursor, instead of requesting the same page again', async () => {
    server.does(answer(200, [pet(1)], { Link: '</v1/pets>; rel="next"' }));
    await expect(listed()).rejects.toMatchObject({ code: 'unexpected_answer', status: 200 });
  });

  it('does not follow redirects', async () => {
    server.does(answer(307, '', { Location: `${elsewhere.origin}/v1/pets` }));
    await expect(listed()).rejects.toMatchObject({ code: 'unexpected_answer', status: 307 });
    expect(elsewhere.arrivals).toEqual([]);
  });

  it('reports an error when a list has no Link header, instead of ending the list', async () => {
    server.does(answer(200, [pet(1)]));
    await expect(listed()).rejects.toMatchObject({ code: 'unexpected_answer', status: 200 });
  });

  for (const body of ['<html>', '', '{"id":1', '{"pets":[]}']) {
    it(`rejects ${body || 'an empty body'} as a list`, async () => {
      server.does(answer(200, body, { Link: '</v1/pets>; rel="first"' }));
      await expect(listed()).rejects.toMatchObject({ code: 'unexpected_answer', status: 200 });
    });
  }

  for (const body of ['<html>Bad gateway</html>', 'null', '{"code":1}', '[]']) {
    it(`reports an unexpected answer for ${body}, which is not an error of the service`, async () => {
      server.does(answer(502, body));
      await expect(listed()).rejects.toMatchObject({ code: 'unexpected_answer', status: 502, details: [] });
    });
  }

  it('reports a deprecation of a failed request too, also without a valid sunset', async () => {
    server.does(refuse(404, 'pet_not_found', { Deprecation: '@1795132800', Sunset: 'some day' }));
    await expect(client.pets.get(5n)).rejects.toMatchObject({ code: 'pet_not_found' });
    expect(notices.splice(0)).toEqual([
      {
        operation: 'getPet',
        deprecation: new Date('2026-11-20T00:00:00Z'),
        sunset: undefined,
        successor: undefined,
        link: undefined,
      },
    ]);
  });

  it('throws the error that onDeprecated throws', async () => {
    const strict = new PetStoreClient({
      baseUrl: `${server.origin}/v1`,
      apiKey: 'key',
      onDeprecated: ({ operation }) => {
        throw new Error(`${operation} is deprecated`);
      },
    });
    server.does(answer(200, pet(1), { Deprecation: '@0' }));
    await expect(strict.pets.get(1n)).rejects.toThrow('getPet is deprecated');
  });

  it('sends requests with the given fetch', async () => {
    const fetch = () =>
      Promise.resolve(new Response('[]', { headers: { Link: '<https://a.example/v1/pets>; rel="first"' } }));
    const other = new PetStoreClient({ baseUrl: new URL('https://a.example/v1'), apiKey: 'key', fetch });
    expect(await all(other.pets.list())).toEqual([]);
  });

  const WRONG = {
    'an empty key': { apiKey: '' },
    'no key': { apiKey: null as never },
    'no base URL': { baseUrl: undefined as never },
    'a base URL with a query': { baseUrl: 'http://127.0.0.1/v1?secret' },
    'a base URL with a password': { baseUrl: 'http://me:secret@127.0.0.1/v1' },
    'a key with a line break': { apiKey: 'psk_secret\n' },
    'a base URL without a scheme': { baseUrl: 'localhost:3000/v1' },
    'a relative base URL': { baseUrl: '/v1' },
    'a mistyped option': { timeout: 5 } as never,
    'no tries': { maxTries: 0 },
    'a wait that is too long for a timer': { maxWaitMs: 2 ** 31 },
    'a time limit of 0': { timeoutMs: 0 },
  };
  for (const [what, options] of Object.entries(WRONG)) {
    it(`cannot be created with ${what}`, () => {
      const make = () => new PetStoreClient({ baseUrl: 'http://127.0.0.1/v1', apiKey: 'key', ...options });
      expect(make).toThrow(/^(?=.*must be|.*apiKey|.*baseUrl|timeout is no option)(?!.*secret)/);
    });
  }

  it('does not reveal its key when it is printed', () => {
    expect(inspect(client, { depth: 9 }) + JSON.stringify(client)).not.toContain('secret');
  });
});
