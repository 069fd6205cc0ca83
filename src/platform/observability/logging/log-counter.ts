const LOG_INTERVAL_MS = 10_000;

/** Logs events that may happen thousands of times a second. It logs the first event at once, and the others as sums. */
export class LogCounter {
  #unreported = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly report: (count: number) => void) {}

  add(): void {
    this.#unreported += 1;
    if (!this.#timer) this.#flush();
  }

  end(): void {
    this.#flush();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unreported === 0) return;
    this.report(this.#unreported);
    this.#unreported = 0;
    this.#timer = setTimeout(() => this.#flush(), LOG_INTERVAL_MS).unref();
  }
}
