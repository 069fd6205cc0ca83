import type { Clock } from '../../kernel/clock.js';

/** No refusal of a credential comes sooner, in ms: whether a query was needed cannot be told from the time it took. */
const FLOOR = 50;
const FORGIVEN = 5;
const STEP = 100;
const MAX_DELAY_MS = 2_000;
/** Who has not failed for so long, in ms, begins anew. */
const MEMORY = 60_000;
const MAX_ADDRESSES = 10_000;

/** Slows down who keeps coming with bad credentials. Nobody else is affected, and nobody is refused for it. */
export class FailedAttempts {
  readonly #byAddress = new Map<string, { count: number; lastAt: number }>();

  constructor(private readonly clock: Clock) {}

  /** Counts one more failure of an address, and waits until its refusal may go out. `begunAt` is when its request came. */
  async penalise(address: string, begunAt: number): Promise<void> {
    const due = begunAt + FLOOR + this.#penalty(this.#count(address));
    await this.clock.sleep(Math.max(0, due - this.clock.now()));
  }

  #penalty(count: number): number {
    return Math.min(Math.max(0, count - FORGIVEN) * STEP, MAX_DELAY_MS);
  }

  #count(address: string): number {
    const now = this.clock.now();
    const known = this.#byAddress.get(address);
    const count = known && now - known.lastAt < MEMORY ? known.count + 1 : 1;
    // Re-entered at the end, so that the first entry is always who failed the longest ago.
    this.#byAddress.delete(address);
    this.#byAddress.set(address, { count, lastAt: now });
    if (this.#byAddress.size > MAX_ADDRESSES) this.#byAddress.delete(this.#byAddress.keys().next().value!);
    return count;
  }
}
