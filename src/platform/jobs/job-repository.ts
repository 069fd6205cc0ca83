import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntitySchema, In, LessThanOrEqual, Repository } from 'typeorm';
import { columns } from '../database/columns.js';
import { DuplicateKey } from '../database/errors.js';

const MAX_PROBLEM_LENGTH = 500;

/** A scheduled job in the table `jobs`, which all replicas share. Times are milliseconds since 1970. */
export interface StoredJob {
  readonly name: string;
  readonly dueAt: number;
  /** The number of the latest lease; only its holder may write. */
  readonly lease: number;
  /** When the lease ends; 0: nobody holds it. */
  readonly lapsesAt: number;
  /** The latest run. While it lasts, and if its holder died, `endedAt` belongs to the run before. */
  readonly begunAt?: number | null;
  readonly endedAt?: number | null;
  /** In milliseconds. */
  readonly duration?: number | null;
  /** The number of failures in a row; the latest failure, even if the job has succeeded since. */
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

/** Identifies a run of a job by its lease. */
export type Lease = Pick<StoredJob, 'name' | 'lease'>;

/** Stores the state of jobs in the table `jobs`. Every write is compare-and-set on the lease. */
@Injectable()
export class JobRepository {
  constructor(@InjectRepository(JobSchema) private readonly jobs: Repository<StoredJob>) {}

  find(names: readonly string[]): Promise<StoredJob[]> {
    return this.jobs.findBy({ name: In([...names]) });
  }

  /** Stores a new job, unless another replica has stored it. */
  async add(name: string, dueAt: number): Promise<void> {
    try {
      await this.jobs.insert({ name, dueAt, lease: 0, lapsesAt: 0, failures: 0 });
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
    }
  }

  /** Changes when a job without a holder is due. */
  async reschedule({ name, lease }: Lease, dueAt: number): Promise<void> {
    await this.jobs.update({ name, lease, lapsesAt: 0 }, { dueAt });
  }

  /** Acquires a job that is free, or whose lease has lapsed. @returns the new lease; undefined if another replica was faster */
  async take(job: StoredJob, now: number, lapsesAt: number): Promise<Lease | undefined> {
    const lease = job.lease + 1;
    const { affected } = await this.jobs.update(
      { name: job.name, lease: job.lease, dueAt: job.dueAt, lapsesAt: LessThanOrEqual(now) },
      { lease, lapsesAt, begunAt: now },
    );
    return affected === 1 ? { name: job.name, lease } : undefined;
  }

  /** Extends a lease. Inside a unit of work nobody can acquire the job until it ends. @returns false if the lease is lost */
  async renew({ name, lease }: Lease, lapsesAt: number): Promise<boolean> {
    return (await this.jobs.update({ name, lease }, { lapsesAt })).affected === 1;
  }

  /** Stores the result of a run and releases the job. @returns false if the lease is lost, so that nothing was stored */
  async end({ name, lease }: Lease, result: Partial<Omit<StoredJob, 'name' | 'lease'>>): Promise<boolean> {
    const problem = result.problem?.slice(0, MAX_PROBLEM_LENGTH);
    const values = { ...result, ...(problem !== undefined && { problem }), lapsesAt: 0 };
    return (await this.jobs.update({ name, lease }, values)).affected === 1;
  }
}
