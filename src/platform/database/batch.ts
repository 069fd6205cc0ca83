import { type BatchName, batchBegun } from './database-channels.js';
import { DatabaseUnavailable } from './database-errors.js';
import { tracing } from '../observability/tracing/tracing.js';

/** How items are grouped. */
interface BatchOptions {
  /** What listeners know the batches by. */
  readonly name: BatchName;
  /** The maximum of items in a batch. */
  readonly maxItems: number;
  /** The maximum of batches at the same time. */
  readonly maxConcurrent: number;
  /**
   * Whether the waiting items are spread over all batches that may start, so that the database works on several of them at
   * the same time: right where an item costs more than a statement. Else each batch takes as many as possible.
   */
  readonly spread: boolean;
}

/** Whether every item would fail as well if it were done alone; else one may have failed those that it came with. */
const concernsAll = (error: unknown) =>
  error instanceof DatabaseUnavailable && error.errorClass !== 'too_large';

interface Waiting<Item, Result> {
  readonly item: Item;
  /** The span of the caller, if tracing is on. */
  readonly span: unknown;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/**
 * Batches what is asked for at the same time. No item is delayed to fill a batch: what has arrived when the event loop has
 * read its sockets starts at once; only while `maxConcurrent` batches run do new items wait for the next one. Nothing joins a
 * batch that has started. If a batch fails for a reason that one item may have brought, each of them is done alone.
 */
export class Batch<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;
  #scheduled = false;

  /** `run` returns an outcome for each item, in their order. */
  constructor(
    private readonly run: (items: Item[]) => Promise<PromiseSettledResult<Result>[]>,
    private readonly options: BatchOptions,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, span: tracing.current?.currentSpan(), resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#running >= this.options.maxConcurrent) return;
    this.#scheduled = true;
    setImmediate(() => {
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

  #run(entries: Waiting<Item, Result>[]): Promise<PromiseSettledResult<Result>[]> {
    const items = entries.map(({ item }) => item);
    const { current } = tracing;
    if (!current) return this.run(items);
    const spans = entries.map(({ span }) => span);
    return current.shared(spans, () => this.run(items));
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
      if (entries.length > 1 && !concernsAll(error))
        await Promise.all(entries.map((entry) => this.#settle([entry])));
      else for (const { reject } of entries) reject(error);
    }
  }
}
