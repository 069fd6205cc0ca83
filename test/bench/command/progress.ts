import { Presets, SingleBar } from 'cli-progress';
import type { Seen } from '../traffic/wrk.js';

/** Shows progress: a bar with the remaining time on a terminal, otherwise a line per run. */
export class Progress {
  readonly #bar: SingleBar | undefined;
  #what = '';

  constructor(runs: number) {
    if (!process.stderr.isTTY) return;
    const format = '{bar} {percentage}% | {eta_formatted} left | {what}';
    this.#bar = new SingleBar({ format, etaBuffer: 50, clearOnComplete: true }, Presets.shades_classic);
    this.#bar.start(runs, 0, { what: 'starting' });
  }

  doing(what: string): void {
    this.#what = what;
    this.#bar?.update({ what });
  }

  done({ requestsPerSecond, faults }: Seen): void {
    if (this.#bar) this.#bar.increment();
    else process.stderr.write(`${this.#what}: ${Math.round(requestsPerSecond)}/s ${faults.join(', ')}\n`);
  }

  stop(): void {
    this.#bar?.stop();
  }
}
