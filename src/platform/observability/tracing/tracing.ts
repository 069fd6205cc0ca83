import type { IncomingMessage, ServerResponse } from 'node:http';

/** `sentStatus` is the status that was sent to the client. */
export type TracedResponse = ServerResponse & { readonly sentStatus: number };

/** Creates spans. Each method runs `work` inside a span. */
export interface Tracing {
  /** A request, until its answer is sent. */
  request(request: IncomingMessage, response: TracedResponse, work: () => void): void;
  /** A use case, by a name such as `PetCatalog.list`. */
  useCase<Result>(name: string, work: () => Result): Result;
  /** A statement with `?` in place of its values. Outside a request there is no span. */
  statement<Result>(engine: 'sqlite' | 'mysql', text: string, work: () => Result): Result;
  /** The span of the caller, for `shared`. */
  currentSpan(): unknown;
  /** Work that several callers share: a child of the first of these spans, linked to the others. */
  shared<Result>(spans: readonly unknown[], work: () => Result): Result;
  flush(): Promise<void>;
}

/**
 * Set if OTEL_EXPORTER_OTLP_ENDPOINT names a collector. Callers test it first, so that disabled tracing costs only this test.
 */
export const tracing: { current: Tracing | undefined } = { current: undefined };
