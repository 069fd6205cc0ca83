import type { RandomSource } from '../../kernel/index.js';

const PREFIX = 'whsec_';

/** A new secret of 32 bytes, in the form of Standard Webhooks. */
export const generateSecret = (random: RandomSource): string =>
  PREFIX + Buffer.from(random.bytes(32)).toString('base64');

/** The bytes of a secret, which are the key of its signatures. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');
