import type { IncomingMessage } from 'node:http';
import {
  type Context,
  context,
  createContextKey,
  createTraceState,
  diag,
  DiagLogLevel,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { Logger } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { LogCounter } from '../logging/log-counter.js';
import { readTraceParent, writeTraceParent } from './trace-context.js';
import type { TracedResponse, Tracing } from './tracing.js';

const LINKS = createContextKey('petstore links');

/** Sends spans to a collector as OTLP over HTTP; configured with the variables `OTEL_*`. */
export class OpenTelemetry implements Tracing {
  readonly #provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'petstore' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  readonly #tracer = this.#provider.getTracer('petstore');

  constructor() {
    reportExportErrors();
    this.#provider.register({ propagator: null });
  }

  /**
   * Answers with the span in `traceparent`. The attributes follow OpenTelemetry's conventions for HTTP servers, without query
   * and headers, which may be confidential.
   */
  request(request: IncomingMessage, response: TracedResponse, work: () => void): void {
    const { method, url = '', httpVersion } = request;
    const attributes = {
      'http.request.method': method,
      'url.path': url.split('?', 1)[0],
      'url.scheme': 'http',
      'network.protocol.version': httpVersion,
      'http.response.header.x-request-id': [String(response.getHeader('X-Request-Id'))],
    };
    const parent = parentOf(request);
    const span = this.#tracer.startSpan(method!, { kind: SpanKind.SERVER, attributes }, parent);
    const { traceId, spanId, traceFlags: flags } = span.spanContext();
    response.setHeader('traceparent', writeTraceParent({ traceId, spanId, flags }));
    response.once('close', () => end(span, request, response));
    context.with(trace.setSpan(parent, span), work);
  }

  useCase<Result>(name: string, work: () => Result): Result {
    return around(this.#tracer.startSpan(name), work);
  }

  /** The attributes follow OpenTelemetry's conventions for databases. */
  statement<Result>(engine: 'sqlite' | 'mysql', text: string, work: () => Result): Result {
    const active = context.active();
    if (!trace.getSpan(active)) return work();
    const attributes = { 'db.system.name': engine, 'db.query.text': text };
    const links = (active.getValue(LINKS) ?? []) as Link[];
    return around(
      this.#tracer.startSpan(summaryOf(text), { kind: SpanKind.CLIENT, attributes, links }),
      work,
    );
  }

  currentSpan(): unknown {
    return context.active();
  }

  shared<Result>(contexts: readonly unknown[], work: () => Result): Result {
    const [first, ...others] = contexts as Context[];
    const links = others.flatMap((other) => {
      const span = trace.getSpanContext(other);
      return span ? [{ context: span }] : [];
    });
    return context.with(first!.setValue(LINKS, links), work);
  }

  flush(): Promise<void> {
    return this.#provider.forceFlush();
  }
}

/** An unavailable collector delays nothing: spans are lost, and the losses are logged as sums. */
function reportExportErrors(): void {
  let last = '';
  const lost = new LogCounter((count) => new Logger('Tracing').warn(`${count} times: ${last}`));
  const note = (message: string) => {
    last = message;
    lost.add();
  };
  const ignore = () => {};
  diag.setLogger(
    { error: note, warn: note, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

function parentOf({ headers: { traceparent, tracestate } }: IncomingMessage): Context {
  const parent = readTraceParent(traceparent);
  if (!parent) return ROOT_CONTEXT;
  const { traceId, spanId, flags: traceFlags } = parent;
  const traceState = typeof tracestate === 'string' ? { traceState: createTraceState(tracestate) } : {};
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true, ...traceState });
}

function end(span: Span, request: IncomingMessage, response: TracedResponse): void {
  // Express stores the matched route on the request.
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

/** Runs `work` inside a span that ends with it. */
function around<Result>(span: Span, work: () => Result): Result {
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

/** Records an error by its code, because messages may repeat a client's input. A rejection is not a failure of the service. */
function recordError(span: Span, error: unknown): void {
  const { code, name } = error as { code?: unknown; name?: string };
  span.setAttribute('error.type', typeof code === 'string' ? code : (name ?? 'unknown'));
  const isRefusal = error instanceof DomainError && error.kind !== 'unavailable';
  if (!isRefusal) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The first word and the first table of a statement: `SELECT pets`. */
function summaryOf(text: string): string {
  const [, operation] = /^\W*(\w+)/.exec(text) ?? [];
  const [, table] = /\b(?:FROM|INTO|UPDATE)\s+[`"]?(\w+)/.exec(text) ?? [];
  return table === undefined ? operation! : `${operation} ${table}`;
}
