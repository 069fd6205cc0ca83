import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Chance } from '../../kernel/chance.js';

/** `live` keys are for production, `test` keys for everything else; both work the same. */
export type KeyEnvironment = 'live' | 'test';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECK_LENGTH = 6;
const FORMAT = /^psk_(?:live|test)_[0-9A-Za-z]{46}$/;
/** RFC 6750 section 2.1, and long enough not to be guessed. */
const FOREIGN_FORMAT = /^(?!psk_)[A-Za-z0-9._~+/-]{32,}=*$/;
/** The largest multiple of 62 in a byte: larger bytes would favour the first digits. */
const FAIR = 248;

/** A fresh secret: `psk_live_` or `psk_test_`, 40 base62 characters from chance, and their CRC-32 in 6 base62 characters. */
export function mintSecret(environment: KeyEnvironment, chance: Chance): string {
  let random = '';
  while (random.length < RANDOM_LENGTH) {
    for (const byte of chance.bytes(RANDOM_LENGTH - random.length)) {
      if (byte < FAIR) random += BASE62.charAt(byte % 62);
    }
  }
  const body = `psk_${environment}_${random}`;
  return body + checkSum(body);
}

/** Whether a text can be a key at all: one of ours with a right check sum, or a foreign one as an operator may bring. */
export function looksLikeSecret(text: string): boolean {
  if (!FORMAT.test(text)) return FOREIGN_FORMAT.test(text);
  return text.endsWith(checkSum(text.slice(0, -CHECK_LENGTH)));
}

/** What is stored of a secret: SHA-256 in hex. 238 random bits need no salt and no stretching. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function checkSum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < CHECK_LENGTH; i++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
