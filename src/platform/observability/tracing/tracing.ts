import type { IncomingMessage, ServerResponse } from 'node:http';

/** Follows what happens through the service. Each method does `work`, and tells of it. */
export interface Tracing {
  /** A request, until its answer has left. `sentStatus` is what the client was told. */
  request(
    request: IncomingMessage,
    response: ServerResponse & { sentStatus: number },
    work: () => void,
  ): void;
  /** A use case, by its name such as `PetCatalog.list`. */
  useCase<Result>(name: string, work: () => Result): Result;
  /** A statement with `?` in the place of its values. One that belongs to no request is not told of. */
  statement<Result>(engine: 'sqlite' | 'mysql', text: string, work: () => Result): Result;
  /** Where the caller is, for `shared`. */
  place(): unknown;
  /** Work that is done once for several callers: it belongs to the first of these places, and is linked to the others. */
  shared<Result>(places: readonly unknown[], work: () => Result): Result;
  /** Sends what is left. */
  flush(): Promise<void>;
}

/**
 * Who follows; nobody, unless the process was started with `--import petstore/tracing`. Whoever has something to tell looks
 * here first, and does without all of it when nobody is there: tracing that is off costs one look.
 */
export const tracing: { current: Tracing | undefined } = { current: undefined };
