import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RandomSource } from '../../kernel/index.js';

/** `live` keys are for production, and `test` keys for everything else. Both work in the same way. */
export type KeyEnvironment = 'live' | 'test';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECK_LENGTH = 6;
const PREFIX = 'psk_';
// `psk_test_` has the same length.
const LENGTH = 'psk_live_'.length + RANDOM_LENGTH + CHECK_LENGTH;
/** The form of a secret that an operator brings: characters of RFC 6750 section 2.1, and too long to be guessed. */
export const FOREIGN = /^[A-Za-z0-9._~+/-]{32,}=*$/;
/**
 * The largest multiple of 62 that a byte can hold. Larger bytes are skipped, because they would make the first digits more
 * likely.
 */
const FAIR = 248;

/** A fresh secret: `psk_live_` or `psk_test_`, 40 random base62 characters, and their CRC-32 in 6 base62 characters. */
export function generateSecret(environment: KeyEnvironment, random: RandomSource): string {
  let characters = '';
  while (characters.length < RANDOM_LENGTH) {
    for (const byte of random.bytes(RANDOM_LENGTH - characters.length)) {
      if (byte < FAIR) characters += BASE62.charAt(byte % 62);
    }
  }
  const body = `psk_${environment}_${characters}`;
  return body + checksumOf(body);
}

/** Whether a text can be a key at all: a generated secret with a correct checksum, or one that an operator may bring. */
export function looksLikeSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return FOREIGN.test(text);
  return text.length === LENGTH && text.endsWith(checksumOf(text.slice(0, -CHECK_LENGTH)));
}

/** The stored form of a secret: SHA-256 in hex. 238 random bits need neither salt nor stretching. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < CHECK_LENGTH; i++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
