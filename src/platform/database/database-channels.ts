import { channel } from '../observability/channel.js';

/** A statement has ended, well or badly; in ms, from the moment when it had its connection. */
export const statementEnded = channel<number>('database.statement-ended');

/** The outcome of a statement that begins now, and a word on how long it took. */
export async function timed<Outcome>(outcome: Promise<Outcome>): Promise<Outcome> {
  const begunAt = performance.now();
  try {
    return await outcome;
  } finally {
    statementEnded.publish(performance.now() - begunAt);
  }
}

export type BatchName = 'reads' | 'pages' | 'writes';

/** How many go to the database together. */
export const batchBegun = channel<{ readonly batch: BatchName; readonly size: number }>(
  'database.batch-begun',
);
