import type { Rate } from '../../kernel/index.js';

/** The usage of a subject in the current window of a rate. */
export interface Usage {
  readonly admitted: boolean;
  /** How many more uses are admitted until the window ends. */
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetIn: number;
}

/** Counts uses by subject, to enforce rates. */
export abstract class RateCounter {
  /** Counts one more use for `subject`, in the window that its first use began. */
  abstract take(subject: string, rate: Rate): Promise<Usage>;
}
