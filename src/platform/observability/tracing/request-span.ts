import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { readTraceParent, writeTraceParent } from './trace-context.js';

type Answer = ServerResponse & { sentStatus: number };

/**
 * Begins the span of a request, which ends with the answer, and says so in `traceparent`. The attributes are those of
 * OpenTelemetry's conventions for HTTP servers, without what clients may have meant for us alone: query and headers.
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
  // Express notes the route that it has found.
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
