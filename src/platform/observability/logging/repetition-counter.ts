/** How long what repeats itself is only counted. */
const INTERVAL_MS = 10_000;

interface Repeated {
  count: number;
  readonly timer: NodeJS.Timeout;
}

/** Tells the first of each kind from those that repeat it, which are counted, and reported when the interval ends. */
export class RepetitionCounter {
  readonly #kinds = new Map<string, Repeated>();

  constructor(private readonly report: (kind: string, count: number) => void) {}

  /** @returns whether it is the first of its kind in this interval */
  add(kind: string): boolean {
    const repeated = this.#kinds.get(kind);
    if (repeated) {
      repeated.count += 1;
      return false;
    }
    const timer = setTimeout(() => this.#end(kind), INTERVAL_MS).unref();
    this.#kinds.set(kind, { count: 0, timer });
    return true;
  }

  /** Reports now what has been counted. */
  end(): void {
    for (const kind of this.#kinds.keys()) this.#end(kind);
  }

  #end(kind: string): void {
    const { count, timer } = this.#kinds.get(kind)!;
    clearTimeout(timer);
    this.#kinds.delete(kind);
    if (count > 0) this.report(kind, count);
  }
}
