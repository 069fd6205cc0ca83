import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { Readiness } from '../health/readiness.js';
import { withTimeout } from '../process/timeout.js';
import { JOB, type JobOptions, timeAfter } from './job.decorator.js';
import { JobRepository, type StoredJob } from './job-repository.js';
import { JobRun, LEASE_MS, LeaseLost } from './job-run.js';

const POLL_INTERVAL_MS = 1_000;
const RENEWAL_INTERVAL_MS = 10_000;
const STOP_TIMEOUT_MS = 2_000;
const MIN_RETRY_DELAY_MS = 60_000;
const MAX_RETRY_DELAY_MS = 3_600_000;

interface Job extends JobOptions {
  readonly work: (run: JobRun) => Promise<unknown>;
}

class Stopping extends Error {}

/**
 * Runs the methods that have `@Job`. The time when each is due is in the database, so that no time is missed or repeated
 * because of different clocks or a replica that starts later. A running job holds a lease and renews it. If its replica dies,
 * the lease lapses after 30 s, and another replica runs the job, which is still due.
 */
@Injectable()
export class Jobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger('Jobs');
  readonly #jobs = new Map<string, Job>();
  readonly #runs = new Map<string, { readonly run: JobRun; readonly ended: Promise<void> }>();
  #round: Promise<void> | undefined;
  #isStopped = false;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly stored: JobRepository,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly readiness: Readiness,
  ) {}

  get names(): string[] {
    return [...this.#jobs.keys()];
  }

  onApplicationBootstrap(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null) continue;
      const methods = instance as Record<string, Job['work']>;
      for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
        const options = Reflect.getMetadata(JOB, methods[method]!) as JobOptions | undefined;
        if (!options) continue;
        if (this.#jobs.has(options.name)) throw new Error(`There are two jobs called "${options.name}".`);
        this.#jobs.set(options.name, { ...options, work: (run) => methods[method]!(run) });
      }
    }
  }

  /** Starts due jobs. Runs only in a process that serves: a command ends too soon. */
  @Interval(POLL_INTERVAL_MS)
  poll(): void {
    if (this.#jobs.size === 0 || this.#isStopped || !this.readiness.isReady) return;
    this.#round ??= this.#beginDue()
      // The next round retries.
      .catch((error: unknown) => this.#log.debug(String(error)))
      .finally(() => (this.#round = undefined));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    await this.#round;
    for (const { run } of this.#runs.values()) run.stop(new Stopping('The service stops.'));
    const ended = Promise.all([...this.#runs.values()].map((one) => one.ended)).then(() => undefined);
    await withTimeout(ended, STOP_TIMEOUT_MS);
  }

  async #beginDue(): Promise<void> {
    const stored = new Map((await this.stored.find(this.names)).map((job) => [job.name, job]));
    for (const job of this.#jobs.values()) {
      const row = stored.get(job.name);
      if (!this.#runs.has(job.name)) await this.#begin(job, row);
    }
  }

  async #begin(job: Job, row: StoredJob | undefined): Promise<void> {
    const now = this.clock.now();
    const next = timeAfter(job, now);
    if (!row) return this.stored.add(job.name, next);
    // The schedule has changed.
    if (next < row.dueAt && row.lapsesAt === 0) return this.stored.reschedule(row, next);
    if (row.dueAt > now || row.lapsesAt > now) return;
    const lease = await this.stored.take(row, now, now + LEASE_MS);
    if (!lease) return;
    if (row.lapsesAt > 0) this.#log.warn(`"${job.name}" is begun again: who was at it has not been heard of`);
    const run = new JobRun(lease, this.stored, this.units, this.clock);
    const ended = this.#do(job, row, run, now).finally(() => this.#runs.delete(job.name));
    this.#runs.set(job.name, { run, ended });
  }

  /** Never throws. */
  async #do(job: Job, row: StoredJob, run: JobRun, begunAt: number): Promise<void> {
    const renewal = setInterval(() => {
      // A failed renewal is repeated well before the lease lapses; a lost lease aborts the run.
      run.renew().catch(() => undefined);
    }, RENEWAL_INTERVAL_MS);
    try {
      const error = await job.work(run).then(
        () => undefined,
        (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
      );
      const result = error instanceof Stopping ? {} : this.#resultOf(job, row, begunAt, error);
      if (!(await this.stored.end(run.lease, result))) throw new LeaseLost(run.lease);
    } catch (error) {
      // Another replica acquires the job and runs it again.
      this.#log.warn(error instanceof LeaseLost ? error.message : `"${job.name}": ${String(error)}`);
    } finally {
      clearInterval(renewal);
    }
  }

  #resultOf(
    job: Job,
    { failures }: StoredJob,
    begunAt: number,
    error: Error | undefined,
  ): Partial<StoredJob> {
    const endedAt = this.clock.now();
    const [duration, next] = [endedAt - begunAt, timeAfter(job, endedAt)];
    if (!error) return { endedAt, duration, dueAt: next, failures: 0 };
    const delay = Math.min(MIN_RETRY_DELAY_MS * 2 ** failures, MAX_RETRY_DELAY_MS);
    const dueAt = Math.min(next, endedAt + delay);
    const problem = error.message;
    this.#log.warn(`"${job.name}" failed, next try at ${new Date(dueAt).toISOString()}: ${problem}`);
    return { endedAt, duration, dueAt, failures: failures + 1, failedAt: endedAt, problem };
  }
}
