const LOG_INTERVAL_MS = 10_000;

/** Logs events that may happen thousands of times a second: the first one at once, the others as sums. */
export class LogCounter {
  #unreported = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly report: (count: number) => void) {}

  add(): void {
    this.#unreported += 1;
    if (!this.#timer) this.#reportNow();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flush();
  }

  #reportNow = (): void => {
    this.#timer = this.#flush() ? setTimeout(this.#reportNow, LOG_INTERVAL_MS).unref() : undefined;
  };

  #flush(): boolean {
    const count = this.#unreported;
    this.#unreported = 0;
    if (count > 0) this.report(count);
    return count > 0;
  }
}
