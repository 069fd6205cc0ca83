import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * W3C Trace Context, section 3.2.2: version (not ff), trace and span of the sender (not zero), flags. Later versions may append
 * fields after a hyphen, but version 00 may not (sections 2.2.2 and 4.3).
 */
const FORM =
  /^(?!ff)(?!00.{53}-)[\da-f]{2}-(?<traceId>(?!0{32})[\da-f]{32})-(?!0{16})[\da-f]{16}-(?<flags>[\da-f]{2})(?:-.*)?$/;

/** The flag 1 means that the sender may have recorded the span, and 2 that the trace id is random. */
const KNOWN_FLAGS = 0b11;

/**
 * The id of the trace that a request belongs to, 32 hex digits. @returns undefined if `traceparent` is invalid, because it must
 * be ignored then
 */
export function traceIdOf({ headers }: IncomingMessage): string | undefined {
  return FORM.exec(String(headers['traceparent']))?.groups!['traceId'];
}

/** Sets a response header with the sender's trace and a new span id. */
export function continueTrace({ headers }: IncomingMessage, response: ServerResponse): void {
  const { traceId, flags } = FORM.exec(String(headers['traceparent']))?.groups ?? {};
  if (traceId === undefined) return;
  const known = (Number.parseInt(flags!, 16) & KNOWN_FLAGS).toString(16).padStart(2, '0');
  response.setHeader('traceparent', `00-${traceId}-${randomBytes(8).toString('hex')}-${known}`);
}
