import type { IncomingMessage, ServerResponse } from 'node:http';

/** `sentStatus` is the status that the client received. */
export type TracedResponse = ServerResponse & { readonly sentStatus: number };

/** Makes spans of what the service does. Each method does `work` inside a span. */
export interface Tracing {
  /** A request, until its answer is sent. */
  request(request: IncomingMessage, response: TracedResponse, work: () => void): void;
  /** A use case, by its name such as `PetCatalog.list`. */
  useCase<Result>(name: string, work: () => Result): Result;
  /** A statement with `?` in the place of its values. Without a request there is no span. */
  statement<Result>(engine: 'sqlite' | 'mysql', text: string, work: () => Result): Result;
  /** The span of the caller, for `shared`. */
  currentSpan(): unknown;
  /** Work that is done once for several callers: a child of the first of these spans, linked to the others. */
  shared<Result>(spans: readonly unknown[], work: () => Result): Result;
  flush(): Promise<void>;
}

/**
 * Absent unless OTEL_EXPORTER_OTLP_ENDPOINT names a collector. Callers check it first, so that tracing costs one check when it is
 * off.
 */
export const tracing: { current: Tracing | undefined } = { current: undefined };
