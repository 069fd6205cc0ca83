import type { Clock } from '../../kernel/clock.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';
import type { JobRepository, Lease } from './job-repository.js';

export const LEASE_MS = 30_000;

/** Another replica has acquired the job, because this one did not renew its lease in time. */
export class LeaseLost extends Error {
  constructor({ name }: Lease) {
    super(`The lease of "${name}" is lost: another replica runs the job.`);
  }
}

/** One run of a job, passed to its method. */
export class JobRun {
  readonly #end = new AbortController();

  constructor(
    readonly lease: Lease,
    private readonly jobs: JobRepository,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Aborted when the lease is lost or the service stops. Work outside of steps has to check it. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /**
   * Runs `work` as one unit of work, stored only if no other replica has acquired the job, and extends the lease to 30 s. A job
   * for many things runs a step for each, or for some. @throws LeaseLost, or the reason why the service stops
   */
  step<Result>(work: () => Promise<Result>): Promise<Result> {
    this.signal.throwIfAborted();
    return this.units.run(async () => {
      // The row stays locked until the unit ends, so that nobody acquires the job meanwhile.
      await this.renew();
      return work();
    });
  }

  /** @throws LeaseLost */
  async renew(): Promise<void> {
    if (await this.jobs.renew(this.lease, this.clock.now() + LEASE_MS)) return;
    this.stop(new LeaseLost(this.lease));
    throw this.signal.reason;
  }

  stop(reason: Error): void {
    this.#end.abort(reason);
  }
}
