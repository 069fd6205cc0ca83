import { channel } from '../observability/channel.js';

/** How long a statement took until it ended or failed, in ms, from the moment when it had its connection. */
export const statementEnded = channel<number>('database.statement-ended');

export const batchBegun = channel<{ readonly batch: string; readonly size: number }>('database.batch-begun');

export interface PoolUsage {
  readonly used: number;
  /** Open and idle. */
  readonly free: number;
  /** How many callers wait for a connection. */
  readonly waiting: number;
}
