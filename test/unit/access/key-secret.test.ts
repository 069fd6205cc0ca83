import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hashSecret, looksLikeSecret, generateSecret } from '../../../src/access/domain/key-secret.js';
import { RandomSource } from '../../../src/kernel/random-source.js';
import { readText } from '../../support/read-text.js';
import { SeededRandom } from './seeded-random.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns all byte values in a cycle. */
class EveryByte extends RandomSource {
  #next = 0;

  override bytes(count: number): Uint8Array {
    return new Uint8Array(count).map(() => this.#next++ % 256);
  }
}

describe('a minted secret', () => {
  it.each(['live', 'test'] as const)('says that it is a %s key', (environment) => {
    const secret = generateSecret(environment, new SeededRandom());
    expect(secret).toMatch(new RegExp(`^psk_${environment}_[0-9A-Za-z]{46}$`));
  });

  it.each([
    'psk_live_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd0YwBvG',
    'psk_test_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz33FoLS',
  ])('ends in its CRC-32, which every scanner can reckon: %s', (secret) => {
    expect(looksLikeSecret(secret)).toBe(true);
  });

  it.each([39, 41])('is not a secret with %d random characters, though its CRC-32 is right', (length) => {
    const body = `psk_live_${'A'.repeat(length)}`;
    let rest = crc32(body);
    let sum = '';
    for (; sum.length < 6; rest = Math.floor(rest / 62)) sum = BASE62.charAt(rest % 62) + sum;
    expect(looksLikeSecret(body + sum)).toBe(false);
  });

  it('does not favour any character', () => {
    const everyByte = new EveryByte();
    // 248 of the 256 byte values are used without bias: 31 secrets of 40 characters use them exactly five times.
    const random = Array.from({ length: 31 }, () => generateSecret('test', everyByte).slice(9, 49)).join('');
    const counts = [...BASE62].map((character) => random.split(character).length - 1);
    expect(new Set(counts)).toEqual(new Set([20]));
  });

  it('is told from itself with any one character mistyped', () => {
    const secret = generateSecret('live', new SeededRandom());
    for (let at = 'psk_'.length; at < secret.length; at++) {
      for (const character of `${BASE62}_-`) {
        if (character === secret[at]) continue;
        expect(looksLikeSecret(secret.slice(0, at) + character + secret.slice(at + 1))).toBe(false);
      }
    }
  });

  it.each([
    ['cut short', (secret: string) => secret.slice(0, -1)],
    ['with something after it', (secret: string) => `${secret}A`],
    ['with a line break after it', (secret: string) => `${secret}\n`],
    ['of another environment', (secret: string) => secret.replace('live', 'test')],
  ])('is not a secret %s', (_, spoil) => {
    expect(looksLikeSecret(spoil(generateSecret('live', new SeededRandom())))).toBe(false);
  });
});

describe("an operator's own secret", () => {
  it.each(['a'.repeat(32), `${'Zz09-._~+/'.repeat(4)}==`, 'x'.repeat(500)])('may be %s', (secret) => {
    expect(looksLikeSecret(secret)).toBe(true);
  });

  it.each(['', 'a'.repeat(31), `psk_${'a'.repeat(51)}`, `psk_${'a'.repeat(28)}`])(
    'may not be %j',
    (secret) => {
      expect(looksLikeSecret(secret)).toBe(false);
    },
  );
});

describe('what is stored of a secret', () => {
  it('is its SHA-256', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('the expression for secret scanners in docs/operations.md', () => {
  it('finds every key of ours, and nothing shorter', () => {
    const [, expression] = /```regex\n(.+)\n```/.exec(readText('docs/operations.md'))!;
    for (const environment of ['live', 'test'] as const) {
      const secret = generateSecret(environment, { bytes: randomBytes });
      expect(`key=${secret};`.match(new RegExp(expression!))?.[0]).toBe(secret);
      expect(new RegExp(expression!).test(`key=${secret.slice(0, -1)};`)).toBe(false);
    }
  });
});
