import { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/platform/config/settings.js';
import { ApiRequest, BaseAddress, link, Links } from '../../../support/rooms/http.js';
import { anyText } from '../../../support/any-text.js';

const here = new BaseAddress('http://shop.example/v1');

/** The base URL under these settings, for a request that was not forwarded by a proxy. */
const baseUnder = (environment: Record<string, string>) =>
  new Links(readSettings(environment)).of(new ApiRequest(new Socket()));

describe('the base URL', () => {
  it.each([
    [{}, 'http://127.0.0.1:3000/v1'],
    [{ PORT: '8080' }, 'http://127.0.0.1:8080/v1'],
    [{ HOST: 'shop.local', PORT: '80' }, 'http://shop.local/v1'],
    [{ HOST: '::1' }, 'http://[::1]:3000/v1'],
    [{ BASE_URL: 'https://shop.example/animals/v1', HOST: '::' }, 'https://shop.example/animals/v1'],
  ])('with the settings %j is %s', (environment, address) =>
    expect(baseUnder(environment).text).toBe(address),
  );

  it.each(['0.0.0.0', '::', '0', '::0', '0:0:0:0:0:0:0:0', 'fe80::1%eth0'])(
    'is a path if HOST is %s, which is not an address that clients can use',
    (HOST) => expect(baseUnder({ HOST }).text).toBe('/v1'),
  );
});

describe('a URL', () => {
  it('is below the base URL, or beside it', () => {
    const base = new BaseAddress('https://shop.example/animals/v1');
    expect(base.to('/pets', { limit: 5 })).toBe('https://shop.example/animals/v1/pets?limit=5');
    expect(base.to('/pets')).toBe('https://shop.example/animals/v1/pets');
    expect(base.beside('/docs')).toBe('https://shop.example/animals/docs');
    expect(base.beside('/v2/pets', { limit: 5 })).toBe('https://shop.example/animals/v2/pets?limit=5');
  });

  it('of another version is beside the base URL', () => {
    const base = new BaseAddress('/v1');
    expect(['/v2/pets', '/v20/pets', '/vets', '/v2'].map((path) => base.to(path))).toEqual([
      '/v2/pets',
      '/v20/pets',
      '/v1/vets',
      '/v1/v2',
    ]);
  });

  it('returns every parameter unchanged, whatever it contains', () => {
    fc.assert(
      fc.property(anyText(), (name) => {
        expect(new URL(here.to('/pets', { name })).searchParams.get('name')).toBe(name);
      }),
    );
  });
});

describe('a link', () => {
  it('cannot be broken by a parameter', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>"\\;, \r\nä') }), (name) => {
        expect(link(here.to('/pets', { name }), 'next')).toMatch(/^<[!-;=?-~]*>; rel="next"$/);
      }),
    );
  });
});
