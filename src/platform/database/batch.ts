import { type BatchName, batchBegun } from './database-channels.js';
import { tracing } from '../observability/tracing/tracing.js';

/** How items go together. */
interface Grouping {
  /** What listeners know the batches by. */
  readonly name: BatchName;
  /** So many items go together at most. */
  readonly largest: number;
  /** So many batches are on their way at most. */
  readonly atOnce: number;
  /**
   * Whether what waits is dealt out among the batches that may begin, so that the database works on several of them at the
   * same time: right where an item costs it more than a statement. Else as many as possible go together.
   */
  readonly dealtOut: boolean;
}

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

  /** `run` answers for each item, in their order. */
  constructor(
    private readonly run: (items: Item[]) => Promise<PromiseSettledResult<Result>[]>,
    private readonly grouping: Grouping,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, place: tracing.current?.place(), resolve, reject });
      this.#plan();
    });
  }

  #plan(): void {
    if (this.#planned || this.#running >= this.grouping.atOnce) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      this.#begin();
    });
  }

  #begin(): void {
    const { name, largest, atOnce, dealtOut } = this.grouping;
    const share = dealtOut ? Math.ceil(this.#waiting.length / (atOnce - this.#running)) : largest;
    while (this.#waiting.length > 0 && this.#running < atOnce) {
      this.#running += 1;
      const entries = this.#waiting.splice(0, Math.min(share, largest));
      if (batchBegun.hasSubscribers) batchBegun.publish({ batch: name, size: entries.length });
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
