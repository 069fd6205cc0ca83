import { channel } from '../observability/channel.js';
import type { LeanResponse } from './server/lean-response.js';

/** An answer was handed to Node, with its final status and headers. */
export const answered = channel<LeanResponse>('http.answered');

/**
 * Why a client was not served: too many requests or connections, no answer in time, a client that does not read its answer, or
 * malformed HTTP.
 */
export type RejectionReason = 'overloaded' | 'connections' | 'deadline' | 'stalled' | 'unreadable';

export const requestRejected = channel<RejectionReason>('http.refused');

/** Whether a key was in the cache, or was looked up in the database. */
export const keyLookedUp = channel<'hit' | 'miss'>('caller.key-looked-up');

export const rateExceeded = channel<void>('caller.rate-exceeded');

/** Whether a request started a read or joined one that had not begun. */
export const readCoalesced = channel<'led' | 'joined'>('paging.reading-shared');
