import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntitySchema, In, LessThanOrEqual, Repository } from 'typeorm';
import { columns } from '../database/columns.js';
import { DuplicateKey } from '../database/database-errors.js';

const MAX_PROBLEM_LENGTH = 500;

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
    problem: columns.text(MAX_PROBLEM_LENGTH, { nullable: true }),
  },
});

/** A run of a job, known by the lease that it has. */
export type Lease = Pick<StoredJob, 'name' | 'lease'>;

/** Keeps the state of jobs in the table `jobs`. Every write is compare-and-set on the lease. */
@Injectable()
export class JobRepository {
  constructor(@InjectRepository(JobSchema) private readonly jobs: Repository<StoredJob>) {}

  find(names: readonly string[]): Promise<StoredJob[]> {
    return this.jobs.findBy({ name: In([...names]) });
  }

  /** Stores a job that is new, unless another replica has. */
  async add(name: string, dueAt: number): Promise<void> {
    try {
      await this.jobs.insert({ name, dueAt, lease: 0, lapsesAt: 0, failures: 0 });
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
    }
  }

  /** Lets a job that nobody is at be due at another time. */
  async reschedule({ name, lease }: Lease, dueAt: number): Promise<void> {
    await this.jobs.update({ name, lease, lapsesAt: 0 }, { dueAt });
  }

  /** Takes a job whose lease has lapsed, or that nobody is at. @returns the new lease; undefined if another replica was faster */
  async take(job: StoredJob, now: number, lapsesAt: number): Promise<Lease | undefined> {
    const lease = job.lease + 1;
    const { affected } = await this.jobs.update(
      { name: job.name, lease: job.lease, dueAt: job.dueAt, lapsesAt: LessThanOrEqual(now) },
      { lease, lapsesAt, begunAt: now },
    );
    return affected === 1 ? { name: job.name, lease } : undefined;
  }

  /** Lets a lease last longer. Within a unit of work nobody takes it until the unit ends. @returns false if it is lost */
  async renew({ name, lease }: Lease, lapsesAt: number): Promise<boolean> {
    return (await this.jobs.update({ name, lease }, { lapsesAt })).affected === 1;
  }

  /** Notes how a run went, and gives the job back. @returns false if the lease is lost, and with it the right to say so */
  async end({ name, lease }: Lease, result: Partial<Omit<StoredJob, 'name' | 'lease'>>): Promise<boolean> {
    const problem = result.problem?.slice(0, MAX_PROBLEM_LENGTH);
    const values = { ...result, ...(problem !== undefined && { problem }), lapsesAt: 0 };
    return (await this.jobs.update({ name, lease }, values)).affected === 1;
  }
}
