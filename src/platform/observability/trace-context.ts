import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * W3C Trace Context, section 3.2.2: version (not ff), trace and span of the sender (not zero), flags. Sections 2.2.2 and 4.3: later
 * versions may append fields after a hyphen, version 00 may not.
 */
const FORM =
  /^(?!ff)(?!00.{53}-)[\da-f]{2}-(?<traceId>(?!0{32})[\da-f]{32})-(?!0{16})[\da-f]{16}-(?<flags>[\da-f]{2})(?:-.*)?$/;

/** 1: the sender may have recorded it; 2: the trace id is random. */
const KNOWN_FLAGS = 0b11;

/** The id of the trace that a request belongs to, 32 hex digits. @returns undefined if `traceparent` is invalid: it must be ignored */
export function traceIdOf({ headers }: IncomingMessage): string | undefined {
  return FORM.exec(String(headers['traceparent']))?.groups!['traceId'];
}

/** Answers with the sender's trace and a new span id. */
export function continueTrace({ headers }: IncomingMessage, response: ServerResponse): void {
  const { traceId, flags } = FORM.exec(String(headers['traceparent']))?.groups ?? {};
  if (traceId === undefined) return;
  const known = (Number.parseInt(flags!, 16) & KNOWN_FLAGS).toString(16).padStart(2, '0');
  response.setHeader('traceparent', `00-${traceId}-${randomBytes(8).toString('hex')}-${known}`);
}
