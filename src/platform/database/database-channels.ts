import { channel } from '../observability/channel.js';
import { tracing } from '../observability/tracing/tracing.js';

/** How long a statement took until it ended or failed, in ms, from the moment when it had its connection. */
export const statementEnded = channel<number>('database.statement-ended');

/** Runs a statement that has its connection: in a span if tracing is on, and publishes its duration. */
export function observed<Outcome>(
  engine: 'sqlite' | 'mysql',
  text: string,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const { current } = tracing;
  const outcome = current ? current.statement(engine, text, run) : run();
  return statementEnded.hasSubscribers ? timed(outcome) : outcome;
}

async function timed<Outcome>(outcome: Promise<Outcome>): Promise<Outcome> {
  const begunAt = performance.now();
  try {
    return await outcome;
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
