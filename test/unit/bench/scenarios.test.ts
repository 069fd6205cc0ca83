import { expect, test } from 'vitest';
import { additionsOwed, requestsOf } from '../../bench/traffic/scenarios.js';

const catalogue = { lastId: 50, before: (id: number) => `before=${id}` };

test('the mix is 80 reads by id, 15 lists and 5 new pets in every 100', () => {
  const mix = requestsOf('mix', catalogue);
  const share = (wanted: (path: string, method: string) => boolean) =>
    mix.filter(({ path, method }) => wanted(path, method)).length / mix.length;
  expect(share((path) => /^\/v1\/pets\/\d+$/.test(path))).toBe(0.8);
  expect(share((path) => path.includes('?'))).toBe(0.15);
  expect(share((_, method) => method === 'POST')).toBe(0.05);
});

test('the table must contain everything that was acknowledged, except what a later request may have overtaken', () => {
  const get = { method: 'GET', path: '/' } as const;
  const post = { method: 'POST', path: '/' } as const;
  expect(additionsOwed([get, post, post], 3 * 10 + 2 + 4, 4)).toBe(21);
  expect(additionsOwed([post], 3, 64)).toBe(0);
});
