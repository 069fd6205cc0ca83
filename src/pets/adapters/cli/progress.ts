import { Presets, SingleBar } from 'cli-progress';
import type { Screen } from '../../../platform/ops/cli/command-context.js';

/** The interval of lines where there is no terminal. */
const REPORT_INTERVAL_MS = 5_000;
const FORMAT = '{bar} {percentage}% | {added} added, {refused} refused | {rate}/s | {eta_formatted} left';
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
  readonly #bar: SingleBar | undefined;
  readonly #startedAt: number;
  #reportedAt: number;
  #addedBefore: number | undefined;

  constructor(
    private readonly total: number,
    private readonly screen: Screen,
    private readonly quiet = false,
    private readonly now = () => performance.now(),
  ) {
    this.#startedAt = this.#reportedAt = now();
    if (!screen.isTTY) return;
    this.#bar = new SingleBar({ format: FORMAT, stream: screen, etaBuffer: 100 }, Presets.shades_classic);
    this.#bar.start(total, 0, { added: 0, refused: 0, rate: 0 });
  }

  update({ done, added, refused }: ProgressState): void {
    this.#addedBefore ??= added;
    const seconds = (this.now() - this.#startedAt) / 1_000;
    const rate = Math.round((added - this.#addedBefore) / Math.max(seconds, 0.001));
    this.#bar?.update(Math.min(done, this.total), { added, refused, rate });
    if (this.#bar || this.quiet || this.now() - this.#reportedAt < REPORT_INTERVAL_MS) return;
    this.#reportedAt = this.now();
    const left = Math.round((seconds / Math.max(done, 1)) * Math.max(this.total - done, 0));
    this.say(`${added} added, ${refused} refused, ${rate}/s, ${left} s left`);
  }

  /** Prints a line that stays, above the bar if there is one. */
  say(line: string): void {
    this.screen.write(this.#bar ? `${ERASE_LINE}${line}\n` : `${line}\n`);
  }

  stop(): void {
    this.#bar?.stop();
  }
}
