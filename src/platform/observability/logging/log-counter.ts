/** How often something is told again, in ms. */
const LOG_EVERY_MS = 10_000;

/** Tells of something that may happen thousands of times a second: of the first at once, of the others in sums. */
export class LogCounter {
  #untold = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly tell: (count: number) => void) {}

  add(): void {
    this.#untold += 1;
    if (!this.#timer) this.#tellNow();
  }

  /** There will be no more: the last sum is told now. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#tell();
  }

  #tellNow = (): void => {
    this.#timer = this.#tell() ? setTimeout(this.#tellNow, LOG_EVERY_MS).unref() : undefined;
  };

  #tell(): boolean {
    const count = this.#untold;
    this.#untold = 0;
    if (count > 0) this.tell(count);
    return count > 0;
  }
}
