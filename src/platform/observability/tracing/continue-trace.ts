import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readTraceParent, writeTraceParent } from './trace-context.js';

/** Without tracing: lets who sent a trace find this service's part of it under an id of its own. */
export function continueTrace({ headers: { traceparent } }: IncomingMessage, response: ServerResponse): void {
  if (traceparent === undefined) return;
  const parent = readTraceParent(traceparent);
  if (parent) response.setHeader('traceparent', writeTraceParent({ ...parent, spanId: newSpanId() }));
}

/** Zero, which is no id, comes once in 2^64 times. */
const newSpanId = () => randomBytes(8).toString('hex');
