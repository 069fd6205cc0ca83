import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The position of a request in a trace, from `traceparent` (W3C Trace Context, section 3.2.2). */
export interface TraceParent {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits: the span of the sender. */
  readonly spanId: string;
  /** 1: the sender may have recorded it; 2: the trace id is random. */
  readonly flags: number;
}

/** Sections 2.2.2 and 4.3: later versions may append fields after a hyphen, version 00 may not. */
const FORM = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const KNOWN_FLAGS = 0b11;

/** Parses `traceparent`. @returns undefined if it is invalid, in which case it must be ignored */
export function readTraceParent(text: unknown): TraceParent | undefined {
  const [, version, traceId, spanId, flags, more] = FORM.exec(String(text)) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return undefined;
  return { traceId: traceId!, spanId: spanId!, flags: Number.parseInt(flags!, 16) & KNOWN_FLAGS };
}

export function writeTraceParent({ traceId, spanId, flags }: TraceParent): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
}

/** Answers with the sender's trace and a new span id. */
export function continueTrace({ headers: { traceparent } }: IncomingMessage, response: ServerResponse): void {
  if (traceparent === undefined) return;
  const parent = readTraceParent(traceparent);
  if (parent)
    response.setHeader(
      'traceparent',
      writeTraceParent({ ...parent, spanId: randomBytes(8).toString('hex') }),
    );
}
