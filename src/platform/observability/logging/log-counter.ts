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

  #tellNow = (): void => {
    this.#timer = undefined;
    if (this.#untold === 0) return;
    this.tell(this.#untold);
    this.#untold = 0;
    this.#timer = setTimeout(this.#tellNow, LOG_EVERY_MS).unref();
  };
}
