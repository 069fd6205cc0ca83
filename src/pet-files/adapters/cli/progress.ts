import type { Screen } from '../../../platform/ops/cli/command-context.js';

const BAR_WIDTH = 20;
/** Returns to the beginning of the line and erases it (ECMA-48, EL). */
const ERASE_LINE = '\r\u001b[K';

/** Shows the progress of a long command on a terminal: a bar if the total is known. Elsewhere it is silent. */
export class Progress {
  /** The last state; empty where there is no terminal. */
  #bar = '';

  constructor(
    private readonly screen: Screen,
    private readonly total?: number,
  ) {}

  /** `done` is in the unit of the total. */
  update(done: number, { added, refused }: { added: number; refused: number }): void {
    if (!this.screen.isTTY) return;
    this.#bar = `${added} added, ${refused} refused`;
    if (this.total !== undefined) {
      const part = Math.min(done / Math.max(this.total, 1), 1);
      const bar = '█'.repeat(part * BAR_WIDTH).padEnd(BAR_WIDTH, '░');
      this.#bar = `${bar} ${Math.floor(part * 100)}% | ${this.#bar}`;
    }
    this.screen.write(ERASE_LINE + this.#bar);
  }

  /** Prints a line that stays, above the bar if there is one. */
  say(line: string): void {
    this.screen.write(`${this.#bar && ERASE_LINE}${line}\n${this.#bar}`);
  }

  /** Leaves the last state on a terminal. */
  stop(): void {
    if (this.#bar) this.screen.write('\n');
  }
}
