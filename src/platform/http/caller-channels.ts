import { channel } from '../observability/channel.js';

/** Whether a key was remembered, or the database had to be asked. */
export const keyLookedUp = channel<'hit' | 'miss'>('caller.key-looked-up');

/** A key has used up its rate. */
export const rateExceeded = channel<void>('caller.rate-exceeded');
