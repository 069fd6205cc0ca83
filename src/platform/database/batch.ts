import { batchBegun } from './database-channels.js';
import { DatabaseUnavailable } from './errors.js';

/** How items are grouped. */
interface BatchOptions {
  /** The name of the batches in metrics. */
  readonly name: string;
  /** The maximum number of items in a batch. */
  readonly maxItems: number;
  /** The maximum number of concurrent batches. */
  readonly maxConcurrent: number;
  /**
   * Whether the waiting items are spread over all batches that may start. Then the database works on several batches in parallel, which
   * helps if an item costs more than a statement. Otherwise each batch takes as many items as possible.
   */
  readonly spread: boolean;
  /** Whether the caller has already waited until the event loop has read its sockets, as a shared read has. Default false. */
  readonly areGathered?: boolean;
}

/** Whether every item would also fail alone. Otherwise one item may have made the others fail. */
const concernsAll = (error: unknown) =>
  error instanceof DatabaseUnavailable && error.errorClass !== 'too_large';

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/**
 * Groups concurrent calls into batches. No item is delayed to fill a batch. The items that have arrived when the event loop has read its
 * sockets start at once, and new items wait only while `maxConcurrent` batches run. Nothing joins a batch that has started. If a batch
 * fails for a reason that one item may have caused, each item is tried again alone.
 */
export class Batch<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;
  #scheduled = false;

  /** `run` returns the results of the items in their order. */
  constructor(
    private readonly run: (items: Item[]) => Promise<readonly Result[]>,
    private readonly options: BatchOptions,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#running >= this.options.maxConcurrent) return;
    this.#scheduled = true;
    const whenAllHaveCome = this.options.areGathered ? process.nextTick : setImmediate;
    whenAllHaveCome(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  #start(): void {
    const { name, maxItems, maxConcurrent, spread } = this.options;
    const share = spread ? Math.ceil(this.#waiting.length / (maxConcurrent - this.#running)) : maxItems;
    while (this.#waiting.length > 0 && this.#running < maxConcurrent) {
      this.#running += 1;
      const entries = this.#waiting.splice(0, Math.min(share, maxItems));
      if (batchBegun.hasSubscribers) batchBegun.publish({ batch: name, size: entries.length });
      void this.#settle(entries).finally(() => {
        this.#running -= 1;
        this.#start();
      });
    }
  }

  async #settle(entries: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(entries.map(({ item }) => item));
      entries.forEach(({ resolve }, i) => resolve(results[i]!));
    } catch (error) {
      // ensures: one bad item fails alone
      const mayBeOfOne = entries.length > 1 && !concernsAll(error);
      // The items run one after the other in the place of the batch, because together they would take every connection.
      if (mayBeOfOne) for (const entry of entries) await this.#settle([entry]);
      else for (const { reject } of entries) reject(error);
    }
  }
}
