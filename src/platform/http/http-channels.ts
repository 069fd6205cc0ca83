import { channel } from '../observability/channel.js';
import type { LeanResponse } from './server/lean-response.js';

/** A response was handed to Node: its status and headers are what the client gets. */
export const answered = channel<LeanResponse>('http.answered');

/**
 * Why a client was not served: too many requests or connections, no answer in time, an answer that the client does not fetch,
 * or what came was no HTTP.
 */
export type RejectionReason = 'overloaded' | 'connections' | 'deadline' | 'stalled' | 'unreadable';

export const requestRejected = channel<RejectionReason>('http.refused');

/** Whether a key was in the cache, or the database had to be asked. */
export const keyLookedUp = channel<'hit' | 'miss'>('caller.key-looked-up');

export const rateExceeded = channel<void>('caller.rate-exceeded');

/** Whether a request began a read or joined one that has yet to begin. */
export const readCoalesced = channel<'led' | 'joined'>('paging.reading-shared');
