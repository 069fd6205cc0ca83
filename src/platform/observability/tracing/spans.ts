import {
  type Context,
  context,
  createContextKey,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { DomainError } from '../../../kernel/domain-error.js';

const LINKS = createContextKey('petstore links');

/** Does `work` inside a span that lasts as long as it does. */
export function spanAround<Result>(span: Span, work: () => Result): Result {
  const end = (error?: unknown) => {
    if (error !== undefined) blame(span, error);
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

/** Names what was thrown by its code; messages may repeat what a client has sent. A refusal is no fault of the service. */
function blame(span: Span, error: unknown): void {
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

export const placeOf = (): Context => context.active();

/** See `Tracing`. */
export function sharedBy<Result>(places: readonly unknown[], work: () => Result): Result {
  const [first, ...others] = places as Context[];
  const links = others.flatMap((other) => {
    const span = trace.getSpanContext(other);
    return span ? [{ context: span }] : [];
  });
  return context.with(first!.setValue(LINKS, links), work);
}
