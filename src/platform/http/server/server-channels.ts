import { channel } from '../../observability/channel.js';
import type { LeanResponse } from './lean-response.js';

/** An answer is given: status and headers are what the client gets. */
export const answered = channel<LeanResponse>('http.answered');

/** Why somebody was not served: too many requests, too many connections, too long a wait, what came was no HTTP. */
export type RejectionReason = 'overloaded' | 'connections' | 'deadline' | 'unreadable';

export const requestRejected = channel<RejectionReason>('http.refused');
