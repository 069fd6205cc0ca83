import { EntitySchema } from 'typeorm';
import { columns } from '../database/columns.js';

/** A scheduled job, as all replicas see it in the table `jobs`. Times are milliseconds since 1970. */
export interface StoredJob {
  readonly name: string;
  readonly dueAt: number;
  /** Counts the leases; only the holder of the latest may write. */
  readonly lease: number;
  /** Until when the lease is good; 0: nobody is at it. */
  readonly lapsesAt: number;
  /** The latest run; while it lasts, and if its holder died, `endedAt` is that of the run before. */
  readonly begunAt?: number | null;
  readonly endedAt?: number | null;
  /** In milliseconds. */
  readonly duration?: number | null;
  /** How often it has failed in a row; its latest failure, even if it has succeeded since. */
  readonly failures: number;
  readonly failedAt?: number | null;
  readonly problem?: string | null;
}

export const JobSchema = new EntitySchema<StoredJob>({
  name: 'Job',
  tableName: 'jobs',
  columns: {
    name: columns.word(64, { primary: true }),
    dueAt: columns.number({ name: 'due_at' }),
    lease: columns.number(),
    lapsesAt: columns.number({ name: 'lapses_at' }),
    begunAt: columns.number({ name: 'begun_at', nullable: true }),
    endedAt: columns.number({ name: 'ended_at', nullable: true }),
    duration: columns.number({ nullable: true }),
    failures: { type: 'int' },
    failedAt: columns.number({ name: 'failed_at', nullable: true }),
    problem: columns.text(500, { nullable: true }),
  },
});
