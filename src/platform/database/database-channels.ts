import { channel } from '../diagnostics/channel.js';

/** A statement has ended, well or badly; in ms, from the moment when it had its connection. */
export const statementEnded = channel<number>('database.statement-ended');

export type BatchName = 'reads' | 'pages' | 'writes';

/** How many go to the database together. */
export const batchBegun = channel<{ readonly batch: BatchName; readonly size: number }>(
  'database.batch-begun',
);
