import { channel } from './channel.js';

/** An answered request, as the log and the metrics tell of it. Of the client's own text it has only validated ids. */
export interface AnsweredRequest {
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
  /** A string, because many JSON parsers would round the number. */
  readonly keyId: string | undefined;
  /** The address of the client, as far as trusted proxies tell it. */
  readonly client: string | undefined;
  /** An operation of the document, or the first part of another path; `none` if no route took the request. */
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  /** From its headers to its answer, in ms, with two decimals. */
  readonly duration: number;
  /** Of the body as it was sent. */
  readonly bytes: number;
}

/** An answer was handed to Node, with its final status and headers. */
export const answered = channel<AnsweredRequest>('http.answered');

/** Why a client was not served: too many requests or bytes of bodies, too many connections, or malformed HTTP. */
export type RejectionReason = 'overloaded' | 'connections' | 'unreadable';

export const requestRejected = channel<RejectionReason>('http.refused');

/** Whether a request started a read or joined one that had not begun. */
export const readCoalesced = channel<'led' | 'joined'>('paging.reading-shared');
