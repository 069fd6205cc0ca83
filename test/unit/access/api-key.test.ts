import { describe, expect, it } from 'vitest';
import { ApiKey } from '../../../src/access/domain/api-key.js';
import { KeyNotUsable } from '../../../src/access/domain/key-errors.js';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hashSecret, looksLikeSecret, generateSecret } from '../../../src/access/domain/key-secret.js';
import type { Properties } from '../../../src/kernel/index.js';
import { loaded } from '../../support/loaded.js';
import { readText } from '../../support/read-text.js';
import { EveryByte } from './key-house.js';

const plain: Properties<ApiKey> = { id: 5n, name: 'shop window', secretHash: 'c0ffee', createdAt: 1_000 };
const keyWith = (more: Partial<Properties<ApiKey>> = {}) => loaded(ApiKey, { ...plain, ...more });

describe('an API key', () => {
  it.each<[string, Partial<Properties<ApiKey>>, number, string]>([
    ['active without end if it has no expiry', {}, Number.MAX_SAFE_INTEGER, 'active'],
    ['active until the last moment before it expires', { expiresAt: 2_000 }, 1_999, 'active'],
    ['expired from the moment it expires', { expiresAt: 2_000 }, 2_000, 'expired'],
    [
      'revoked as soon as a revocation is stored, also by a clock that was ahead',
      { revokedAt: 3_000 },
      1,
      'revoked',
    ],
    ['revoked, although not expired', { expiresAt: 9_000, revokedAt: 3_000 }, 4_000, 'revoked'],
    ['revoked rather than expired when it is both', { expiresAt: 2_000, revokedAt: 3_000 }, 4_000, 'revoked'],
  ])('is %s', (_, more, now, state) => {
    expect(keyWith(more).stateAt(now)).toBe(state);
  });

  it.each([
    ['pets:read', true],
    ['pets:write', false],
    ['orders:read', false],
    ['pets', false],
    ['read', false],
  ])('with the scopes pets:read and orders:write may do %s: %s', (scope, may) => {
    expect(keyWith({ scopes: ['pets:read', 'orders:write'] }).mayDo(scope)).toBe(may);
  });

  it('may do everything without a list of scopes, but nothing with an empty list', () => {
    expect(keyWith().mayDo('pets:write')).toBe(true);
    expect(keyWith({ scopes: [] }).mayDo('pets:read')).toBe(false);
  });

  it('may call an operation without a scope only if it is not restricted', () => {
    expect(keyWith().mayDo(undefined)).toBe(true);
    for (const scopes of [[], ['pets:read']]) expect(keyWith({ scopes }).mayDo(undefined)).toBe(false);
  });

  it('passes only the terms that the operator chose on to its successor', () => {
    const terms = {
      name: 'till',
      scopes: ['pets:read'],
      expiresAt: 9_000,
      rate: { limit: 5, seconds: 60 },
    };
    expect(keyWith({ ...terms, revokedAt: 3_000, lastUsedAt: 2_000 }).terms()).toEqual(terms);
    expect(keyWith().terms()).toEqual({ name: 'shop window' });
  });
});

describe('revoking an API key', () => {
  it('ends it at once', () => {
    const key = keyWith({ expiresAt: 9_000 });
    const revoked = key.revoke(3_000);
    expect(revoked).toEqual({ ...plain, expiresAt: 9_000, revokedAt: 3_000 });
    expect(key).toEqual({ ...plain, expiresAt: 9_000 });
    expect(revoked.stateAt(3_000)).toBe('revoked');
  });

  it('a second time keeps the time of the first revocation', () => {
    expect(keyWith().revoke(3_000).revoke(4_000).revokedAt).toBe(3_000);
  });
});

describe('retiring an API key', () => {
  it.each<[string, number | undefined, number]>([
    ['at the given time if it had no end', undefined, 5_000],
    ['at the given time if its own end was later', 9_000, 5_000],
    ['at its own end if that was earlier', 4_000, 4_000],
  ])('ends it %s', (_, expiresAt, end) => {
    const key = keyWith(expiresAt === undefined ? {} : { expiresAt });
    expect(key.retire(5_000, 3_000)).toEqual({ ...plain, expiresAt: end, rotatedAt: 3_000 });
  });

  it.each<[string, Partial<Properties<ApiKey>>]>([
    ['expired', { expiresAt: 3_000 }],
    ['revoked', { revokedAt: 3_000 }],
    ['rotated already', { rotatedAt: 2_000 }],
  ])('fails when the key is %s', (state, more) => {
    const retire = () => keyWith(more).retire(5_000, 3_000);
    expect(retire).toThrow(KeyNotUsable);
    expect(retire).toThrow(`Key 5 is ${state}. Issue a new one instead.`);
  });
});

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a minted secret', () => {
  it.each(['live', 'test'] as const)('shows that it is a %s key', (environment) => {
    const secret = generateSecret(environment, new EveryByte());
    expect(secret).toMatch(new RegExp(`^psk_${environment}_[0-9A-Za-z]{46}$`));
  });

  it.each([
    'psk_live_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd0YwBvG',
    'psk_test_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz33FoLS',
  ])('ends in its CRC-32, which scanners can compute: %s', (secret) => {
    expect(looksLikeSecret(secret)).toBe(true);
  });

  it.each([39, 41])('is invalid with %d random characters, although its CRC-32 is right', (length) => {
    const body = `psk_live_${'A'.repeat(length)}`;
    let rest = crc32(body);
    let sum = '';
    for (; sum.length < 6; rest = Math.floor(rest / 62)) sum = BASE62.charAt(rest % 62) + sum;
    expect(looksLikeSecret(body + sum)).toBe(false);
  });

  it('contains all characters equally often', () => {
    const everyByte = new EveryByte();
    // 248 of the 256 byte values are used without bias: 31 secrets of 40 characters use them exactly five times.
    const random = Array.from({ length: 31 }, () => generateSecret('test', everyByte).slice(9, 49)).join('');
    const counts = [...BASE62].map((character) => random.split(character).length - 1);
    expect(new Set(counts)).toEqual(new Set([20]));
  });

  it('is invalid with any one character mistyped', () => {
    const secret = generateSecret('live', new EveryByte());
    for (let at = 'psk_'.length; at < secret.length; at++) {
      for (const character of `${BASE62}_-`) {
        if (character === secret[at]) continue;
        expect(looksLikeSecret(secret.slice(0, at) + character + secret.slice(at + 1))).toBe(false);
      }
    }
  });

  it('is invalid with a line break after it', () => {
    expect(looksLikeSecret(`${generateSecret('live', new EveryByte())}\n`)).toBe(false);
  });
});

describe("an operator's own secret", () => {
  it.each(['a'.repeat(32), `${'Zz09-._~+/'.repeat(4)}==`, 'x'.repeat(500)])('may be %s', (secret) => {
    expect(looksLikeSecret(secret)).toBe(true);
  });

  it.each([
    '',
    'a'.repeat(31),
    `${'a'.repeat(31)}=`,
    `=${'a'.repeat(32)}`,
    `${'a'.repeat(31)} a`,
    `${'a'.repeat(32)}ö`,
    `psk_${'a'.repeat(51)}`,
    `psk_${'a'.repeat(28)}`,
  ])('may not be %j', (secret) => {
    expect(looksLikeSecret(secret)).toBe(false);
  });
});

it('Only the SHA-256 of a secret is stored', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

describe('the expression for secret scanners in docs/operations.md', () => {
  it('finds every key of this service, and nothing shorter', () => {
    const [, expression] = /```regex\n(.+)\n```/.exec(readText('docs/operations.md'))!;
    for (const environment of ['live', 'test'] as const) {
      const secret = generateSecret(environment, { bytes: randomBytes });
      expect(`key=${secret};`.match(new RegExp(expression!))?.[0]).toBe(secret);
      expect(new RegExp(expression!).test(`key=${secret.slice(0, -1)};`)).toBe(false);
    }
  });
});
