import { printableLines } from '../../../platform/json/index.js';
import type { Screen } from '../../../platform/ops/index.js';
import type { ImportObserver, RefusedRecord } from '../../application/pet-import.js';
import type { ImportProgress } from '../../ports/import-ledger.js';

const BAR_WIDTH = 20;
/** Returns to the beginning of the line and erases it (ECMA-48, EL). */
const ERASE_LINE = '\r\u001b[K';

/** The counts for all records. Earlier runs have done `skipped` of them. */
export interface ImportResult extends ImportProgress {
  readonly skipped: number;
  readonly seconds: number;
}

/** Prints rejected records as NDJSON. On a terminal it also shows the progress of an import, as a bar if the total is known. */
export class Progress implements ImportObserver {
  readonly #begin = performance.now();
  /** Empty if there is no terminal. */
  #bar = '';
  #skipped: number | undefined;
  #reached: ImportProgress = { records: 0, added: 0, refused: 0 };

  /** `position` has the unit of `total`. */
  constructor(
    private readonly screen: Screen,
    private readonly total?: number,
    private readonly position = () => this.#reached.records,
  ) {}

  /** Prints the line of a record, above the bar if there is one. The line stays. */
  refused(record: RefusedRecord): void {
    const line = printableLines(JSON.stringify(record));
    this.screen.write(`${this.#bar && ERASE_LINE}${line}\n${this.#bar}`);
  }

  progressed(reached: ImportProgress): void {
    this.#reached = reached;
    this.#skipped ??= reached.records;
    if (!this.screen.isTTY) return;
    this.#bar = `${reached.added} added, ${reached.refused} refused`;
    if (this.total !== undefined) {
      const part = Math.min(this.position() / Math.max(this.total, 1), 1);
      const bar = '█'.repeat(part * BAR_WIDTH).padEnd(BAR_WIDTH, '░');
      this.#bar = `${bar} ${Math.floor(part * 100)}% | ${this.#bar}`;
    }
    this.screen.write(ERASE_LINE + this.#bar);
  }

  /** Prints the last state on a terminal. */
  stop(): void {
    if (this.#bar) this.screen.write('\n');
  }

  get result(): ImportResult {
    const seconds = Math.round(performance.now() - this.#begin) / 1_000;
    return { ...this.#reached, skipped: this.#skipped ?? 0, seconds };
  }
}

/** A line about a result. The text `before` is for people only, not for `--json`. */
export function summary(
  { added, refused, skipped, seconds }: ImportResult,
  { dryRun, json }: { readonly dryRun?: boolean | undefined; readonly json?: boolean | undefined },
  before = '',
): string {
  if (json) return JSON.stringify({ added, refused, skipped, seconds });
  const earlier = skipped > 0 ? `, of these ${skipped} records in earlier runs` : '';
  return `${before}${dryRun ? 'would add' : 'added'} ${added}, refused ${refused}${earlier}, in ${seconds} s`;
}
