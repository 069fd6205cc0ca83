import type { Rate } from '../../kernel/rate.js';

/** Where somebody stands in the current window of a rate. */
export interface Usage {
  readonly admitted: boolean;
  /** How often more until the window ends. */
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetIn: number;
}

/** Counts who did something how often, so that rates can be kept. */
export abstract class RateCounter {
  /** Counts one more for `subject`, in the window that its first use began. */
  abstract take(subject: string, rate: Rate): Promise<Usage>;
}
