import { setImmediate } from 'node:timers/promises';
import { readCoalesced } from '../../observability/requests.js';

/** The reads with one key: one that has started, and one that requests may still join. */
interface Reads<Result> {
  running?: Promise<Result> | undefined;
  pending?: Promise<Result> | undefined;
}

/**
 * Lets equal requests share one read (request coalescing). A request joins the next read, never one that has started, so it
 * sees everything that was stored before it came. If no read is running, the next one starts as soon as the event loop has read
 * its sockets.
 */
export class ReadCoalescer<Result> {
  /** No Map: one that changes with each request keeps answered ones alive (docs/decisions/0052-shared-work.md). */
  readonly #reads = Object.create(null) as Record<string, Reads<Result>>;
  #tick: Promise<void> | undefined;

  get(key: string, read: () => Promise<Result>): Promise<Result> {
    const reads = (this.#reads[key] ??= {});
    readCoalesced.publish(reads.pending ? 'joined' : 'led');
    // ensures: a request sees everything that was stored before it arrived
    return (reads.pending ??= this.#begin(key, reads, read));
  }

  #begin(key: string, reads: Reads<Result>, read: () => Promise<Result>): Promise<Result> {
    const start = reads.running ? reads.running.catch(() => undefined) : this.#whenSocketsAreRead();
    const result = start.then(() => {
      reads.pending = undefined;
      reads.running = result;
      return read().finally(() => {
        reads.running = undefined;
        if (!reads.pending) delete this.#reads[key];
      });
    });
    return result;
  }

  /** One for all lists of a module, so that reads that start together can become one statement. */
  #whenSocketsAreRead(): Promise<void> {
    return (this.#tick ??= setImmediate().then(() => void (this.#tick = undefined)));
  }
}
