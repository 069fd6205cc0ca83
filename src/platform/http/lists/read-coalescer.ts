import { setImmediate } from 'node:timers/promises';
import { readCoalesced } from '../../observability/requests.js';

/** The reads with one key. */
interface Reads<Result> {
  /** The read that has started. */
  running?: Promise<Result> | undefined;
  /** The read that requests can still join. */
  pending?: Promise<Result> | undefined;
}

/**
 * Lets equal requests share one read (request coalescing). A request joins the next read, never one that has started. So it
 * sees everything that was stored before it came. If no read is running, the next read starts as soon as the event loop has read
 * its sockets.
 */
export class ReadCoalescer<Result> {
  /** An object, because a Map keeps its old table, and with it finished requests, alive when it grows (docs/decisions/0052-shared-work.md). */
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

  /** All keys share one tick, so that reads that start together can become one statement. */
  #whenSocketsAreRead(): Promise<void> {
    return (this.#tick ??= setImmediate().then(() => void (this.#tick = undefined)));
  }
}
