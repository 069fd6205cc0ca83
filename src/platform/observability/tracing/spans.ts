import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Context,
  context,
  createContextKey,
  createTraceState,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { DomainError } from '../../../kernel/domain-error.js';
import { readTraceParent, writeTraceParent } from './trace-context.js';

type Answer = ServerResponse & { sentStatus: number };

/**
 * Starts the span of a request, which ends with the answer, and returns it in `traceparent`. The attributes are those of
 * OpenTelemetry's conventions for HTTP servers, without query and headers, which may be confidential.
 * @returns the context in which the request is to be served
 */
export function requestSpan(tracer: Tracer, request: IncomingMessage, response: Answer): Context {
  const { method, url = '', httpVersion } = request;
  const attributes = {
    'http.request.method': method,
    'url.path': url.split('?', 1)[0],
    'url.scheme': 'http',
    'network.protocol.version': httpVersion,
    'http.response.header.x-request-id': [String(response.getHeader('X-Request-Id'))],
  };
  const parent = parentOf(request);
  const span = tracer.startSpan(method!, { kind: SpanKind.SERVER, attributes }, parent);
  const { traceId, spanId, traceFlags: flags } = span.spanContext();
  response.setHeader('traceparent', writeTraceParent({ traceId, spanId, flags }));
  response.once('close', () => end(span, request, response));
  return trace.setSpan(parent, span);
}

function parentOf({ headers: { traceparent, tracestate } }: IncomingMessage): Context {
  const parent = readTraceParent(traceparent);
  if (!parent) return ROOT_CONTEXT;
  const { traceId, spanId, flags: traceFlags } = parent;
  const traceState = typeof tracestate === 'string' ? { traceState: createTraceState(tracestate) } : {};
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true, ...traceState });
}

function end(span: Span, request: IncomingMessage, response: Answer): void {
  // Express sets the route that matched.
  const path = (request as { route?: { path?: string } }).route?.path;
  if (path !== undefined) {
    const route = path.replaceAll(/:(\w+)/g, '{$1}');
    span.setAttribute('http.route', route);
    span.updateName(`${request.method} ${route}`);
  }
  const { sentStatus: status } = response;
  if (status > 0) span.setAttribute('http.response.status_code', status);
  if (status >= 500 || !response.writableFinished) {
    span.setAttribute('error.type', status >= 500 ? String(status) : 'client_left');
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

const LINKS = createContextKey('petstore links');

/** Does `work` inside a span that lasts as long as it does. */
export function spanAround<Result>(span: Span, work: () => Result): Result {
  const end = (error?: unknown) => {
    if (error !== undefined) recordError(span, error);
    span.end();
  };
  try {
    const result = context.with(trace.setSpan(context.active(), span), work);
    if (result instanceof Promise) result.then(() => end(), end);
    else end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}

/** Records an error by its code; messages may repeat what a client has sent. A refusal is no failure of the service. */
function recordError(span: Span, error: unknown): void {
  const { code, name } = error as { code?: unknown; name?: string };
  span.setAttribute('error.type', typeof code === 'string' ? code : (name ?? 'unknown'));
  const isRefusal = error instanceof DomainError && error.kind !== 'unavailable';
  if (!isRefusal) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** A statement, by OpenTelemetry's conventions for databases. */
export function statementSpan<Result>(
  tracer: Tracer,
  engine: 'sqlite' | 'mysql',
  text: string,
  work: () => Result,
): Result {
  const active = context.active();
  if (!trace.getSpan(active)) return work();
  const attributes = { 'db.system.name': engine, 'db.query.text': text };
  const links = (active.getValue(LINKS) ?? []) as Link[];
  return spanAround(tracer.startSpan(summaryOf(text), { kind: SpanKind.CLIENT, attributes, links }), work);
}

/** Its first word and its first table: `SELECT pets`. */
function summaryOf(text: string): string {
  const [, operation] = /^\W*(\w+)/.exec(text) ?? [];
  const [, table] = /\b(?:FROM|INTO|UPDATE)\s+[`"]?(\w+)/.exec(text) ?? [];
  return table === undefined ? operation! : `${operation} ${table}`;
}

/** See `Tracing`. */
export function withLinks<Result>(contexts: readonly unknown[], work: () => Result): Result {
  const [first, ...others] = contexts as Context[];
  const links = others.flatMap((other) => {
    const span = trace.getSpanContext(other);
    return span ? [{ context: span }] : [];
  });
  return context.with(first!.setValue(LINKS, links), work);
}
