import type { Clock } from '../../kernel/clock.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';
import type { JobRepository, Lease } from './job-repository.js';

export const LEASE_MS = 30_000;

/** Another replica has taken the job over, for this one was not heard of for too long. */
export class LeaseLost extends Error {
  constructor({ name }: Lease) {
    super(`The lease of "${name}" is lost: another replica is at it.`);
  }
}

/** One run of a job, as its method sees it. */
export class JobRun {
  readonly #end = new AbortController();

  constructor(
    readonly lease: Lease,
    private readonly jobs: JobRepository,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Aborted when the lease is lost or the service stops. What is not a step has to look at it. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /**
   * Does `work` as one unit of work, which is stored only if no other replica has taken the job over, and takes the lease for
   * 30 s more. A job of many things does a step for each, or for some at a time. @throws LeaseLost, or why the service stops
   */
  step<Result>(work: () => Promise<Result>): Promise<Result> {
    this.signal.throwIfAborted();
    return this.units.run(async () => {
      // The row is locked until the unit ends: nobody takes the job over in the middle of it.
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
