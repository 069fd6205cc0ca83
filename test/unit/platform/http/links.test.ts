import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/platform/config/settings.js';
import { link, Links } from '../../../../src/platform/http/links.js';

const here = new Links(readSettings({}));

describe('an address', () => {
  it('is the path alone when nobody said where the service is reached', () => {
    expect(here.to('/pets')).toBe('/v1/pets');
  });

  it('begins with the base address that the operator set', () => {
    const links = new Links(readSettings({ BASE_URL: 'https://shop.example/animals/v1' }));
    expect(links.to('/pets', { limit: 5 })).toBe('https://shop.example/animals/v1/pets?limit=5');
  });

  it('has its parameters in the order they were given, without those that have no value', () => {
    expect(here.to('/pets', { status: 'sold', cursor: undefined, limit: 5 })).toBe(
      '/v1/pets?status=sold&limit=5',
    );
  });

  it('brings every parameter back, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const address = new URL(here.to('/pets', { name }), 'http://shop.example');
        expect(address.searchParams.get('name')).toBe(name);
      }),
    );
  });
});

describe('a link', () => {
  it('names its address and what it leads to', () => {
    expect(link('/v1/pets', 'first')).toBe('</v1/pets>; rel="first"');
  });

  it('cannot be broken open by a parameter', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>"\\;, \r\nä') }), (name) => {
        expect(link(here.to('/pets', { name }), 'next')).toMatch(/^<[!-;=?-~]*>; rel="next"$/);
      }),
    );
  });
});
