import { channel } from '../observability/channel.js';

/** How long a statement took until it ended or failed, in ms, from the moment when it had its connection. */
export const statementEnded = channel<number>('database.statement-ended');

/** Runs a statement that has its connection, and publishes its duration. */
export function observed<Outcome>(run: () => Promise<Outcome>): Promise<Outcome> {
  return statementEnded.hasSubscribers ? timed(run) : run();
}

async function timed<Outcome>(run: () => Promise<Outcome>): Promise<Outcome> {
  const begunAt = performance.now();
  try {
    return await run();
  } finally {
    statementEnded.publish(performance.now() - begunAt);
  }
}

export type BatchName = 'reads' | 'pages' | 'writes' | 'keys';

export const batchBegun = channel<{ readonly batch: BatchName; readonly size: number }>(
  'database.batch-begun',
);

export interface PoolUsage {
  readonly used: number;
  /** Open and idle. */
  readonly free: number;
  /** How many callers wait for a connection. */
  readonly waiting: number;
}
