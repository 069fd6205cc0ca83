import { type BatchName, batchBegun } from './database-channels.js';
import { tracing } from '../tracing/tracing.js';

/** So many are done at the same time. With fewer, a handful of clients would wait for each other. */
const AT_ONCE = 4;

interface Waiting<Item, Result> {
  readonly item: Item;
  /** Where it came from, if somebody follows. */
  readonly place: unknown;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/**
 * Does together what is asked for at the same time. Nobody waits for company: what has arrived when the event loop has read
 * its sockets goes at once; only as long as enough batches are on their way does what arrives form the next one. Nothing
 * joins a batch that has begun.
 */
export class Batch<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;
  #planned = false;

  /** `run` answers for each item, in their order; at most `largest` go together. `name` is what listeners know it by. */
  constructor(
    private readonly run: (items: Item[]) => Promise<PromiseSettledResult<Result>[]>,
    private readonly largest: number,
    private readonly name: BatchName = 'reads',
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, place: tracing.current?.place(), resolve, reject });
      this.#plan();
    });
  }

  #plan(): void {
    if (this.#planned || this.#running >= AT_ONCE) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      this.#begin();
    });
  }

  #begin(): void {
    while (this.#waiting.length > 0 && this.#running < AT_ONCE) {
      this.#running += 1;
      const entries = this.#waiting.splice(0, this.largest);
      if (batchBegun.hasSubscribers) batchBegun.publish({ batch: this.name, size: entries.length });
      void this.#settle(entries).finally(() => {
        this.#running -= 1;
        this.#begin();
      });
    }
  }

  #run(entries: Waiting<Item, Result>[]): Promise<PromiseSettledResult<Result>[]> {
    const items = entries.map(({ item }) => item);
    const { current } = tracing;
    if (!current) return this.run(items);
    const places = entries.map(({ place }) => place);
    return current.shared(places, () => this.run(items));
  }

  async #settle(entries: Waiting<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await this.#run(entries);
      entries.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i]!;
        if (outcome.status === 'fulfilled') resolve(outcome.value);
        else reject(outcome.reason);
      });
    } catch (error) {
      for (const { reject } of entries) reject(error);
    }
  }
}
