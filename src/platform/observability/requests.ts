import { channel } from './channel.js';

/** A request with its response, as the log and the metrics show it. The only texts from the client are validated ids. */
export interface AnsweredRequest {
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
  /** A string, because many JSON parsers would round the number. */
  readonly keyId: string | undefined;
  /** The address of the client, as far as trusted proxies forward it. */
  readonly client: string | undefined;
  /** An operation of the OpenAPI document, or the first part of another path; `none` if no route matches the request. */
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  /** From the headers of the request to the response, in ms, with two decimals. */
  readonly duration: number;
  /** The size of the body of the response as it was sent. */
  readonly bytes: number;
}

/** A response was passed to Node, with its final status and headers. */
export const answered = channel<AnsweredRequest>('http.answered');

/** The reason why a request was rejected: too many requests or bytes of bodies, too many connections, or malformed HTTP. */
type RejectionReason = 'overloaded' | 'connections' | 'unreadable';

export const requestRejected = channel<RejectionReason>('http.refused');

/** Whether a request started a read, or joined a read that had not begun. */
export const readCoalesced = channel<'led' | 'joined'>('paging.reading-shared');
