import type { Screen } from '../../../platform/ops/cli/command-context.js';

/** The intervals of changes on a terminal, and of lines elsewhere. */
const [BAR_MS, LINE_MS] = [100, 5_000];
const BAR_WIDTH = 20;
/** Returns to the beginning of the line and erases it (ECMA-48, EL). */
const ERASE_LINE = '\r\u001b[K';

/** Shows the progress of a long command: a bar on a terminal, otherwise lines. Never writes to standard output. */
export class Progress {
  readonly #startedAt: number;
  #shownAt: number;
  #addedBefore: number | undefined;
  /** The last state; empty where there is no terminal. */
  #bar = '';

  constructor(
    private readonly total: number,
    private readonly screen: Screen,
    private readonly quiet = false,
    private readonly now = () => performance.now(),
  ) {
    this.#startedAt = this.#shownAt = now();
  }

  /** `done` is in the unit of the total. */
  update({ done, added, refused }: { done: number; added: number; refused: number }): void {
    this.#addedBefore ??= added;
    const now = this.now();
    const seconds = (now - this.#startedAt) / 1_000;
    const part = Math.min(done / Math.max(this.total, 1), 1);
    const rate = Math.round((added - this.#addedBefore) / Math.max(seconds, 0.001));
    const left = Math.round((seconds * (1 - part)) / Math.max(part, 1e-6));
    const texts = [`${added} added, ${refused} refused`, `${rate}/s`, `${left} s left`];
    if (this.screen.isTTY) {
      const bar = '█'.repeat(part * BAR_WIDTH).padEnd(BAR_WIDTH, '░');
      this.#bar = [`${bar} ${Math.floor(part * 100)}%`, ...texts].join(' | ');
    } else if (this.quiet) return;
    if (now - this.#shownAt < (this.#bar ? BAR_MS : LINE_MS)) return;
    this.#shownAt = now;
    this.screen.write(this.#bar ? ERASE_LINE + this.#bar : `${texts.join(', ')}\n`);
  }

  /** Prints a line that stays, above the bar if there is one. */
  say(line: string): void {
    this.screen.write(this.#bar ? `${ERASE_LINE}${line}\n${this.#bar}` : `${line}\n`);
  }

  /** Leaves the last state on a terminal. */
  stop(): void {
    if (this.#bar) this.screen.write(`${ERASE_LINE}${this.#bar}\n`);
  }
}
