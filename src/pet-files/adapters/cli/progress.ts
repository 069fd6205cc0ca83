import type { Screen } from '../../../platform/ops/cli/command-context.js';

/** The intervals of lines, and of changes of the bar on a terminal. */
const LINES_MS = 5_000;
const BAR_MS = 100;
const BAR_WIDTH = 20;
/** Returns to the beginning of the line and erases it (ECMA-48, EL). */
const ERASE_LINE = '\r\u001b[K';

/** `done` and the total, in the same unit, and the results so far. */
interface ProgressState {
  readonly done: number;
  readonly added: number;
  readonly refused: number;
}

/** Shows the progress of a long command: a bar on a terminal, otherwise lines. Never writes to standard output. */
export class Progress {
  readonly #startedAt: number;
  #shownAt: number;
  #addedBefore: number | undefined;
  #bar = '';

  constructor(
    private readonly total: number,
    private readonly screen: Screen,
    private readonly quiet = false,
    private readonly now = () => performance.now(),
  ) {
    this.#startedAt = this.#shownAt = now();
  }

  update({ done, added, refused }: ProgressState): void {
    this.#addedBefore ??= added;
    const now = this.now();
    const seconds = (now - this.#startedAt) / 1_000;
    const rate = Math.round((added - this.#addedBefore) / Math.max(seconds, 0.001));
    const left = Math.round((seconds / Math.max(done, 1)) * Math.max(this.total - done, 0));
    const counts = [`${added} added, ${refused} refused`, `${rate}/s`, `${left} s left`];
    const part = Math.min(done / Math.max(this.total, 1), 1);
    const bar = '█'.repeat(part * BAR_WIDTH).padEnd(BAR_WIDTH, '░');
    if (this.screen.isTTY) this.#bar = [`${bar} ${Math.floor(part * 100)}%`, ...counts].join(' | ');
    else if (this.quiet) return;
    if (now - this.#shownAt < (this.screen.isTTY ? BAR_MS : LINES_MS)) return;
    this.#shownAt = now;
    this.screen.write(this.#bar ? ERASE_LINE + this.#bar : `${counts.join(', ')}\n`);
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
