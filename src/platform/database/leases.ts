import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { JoiningDataSource } from './data-source.js';
import { DatabaseUnavailable, DuplicateKey, isMissingTable } from './errors.js';
import { Lease, LeaseSchema, type LeaseState, MAX_PROBLEM_LENGTH } from './lease.js';
import { CREATE_LEASES } from './migrations/create-leases.migration.js';

const STOP_TIMEOUT_MS = 2_000;

type Work<Result> = (signal: AbortSignal) => Promise<Result>;

/** The nearest minute: the time that a `@Cron` method runs for, since its timer fires some milliseconds early or late. */
export const minuteOf = (now: number): number => Math.round(now / 60_000) * 60_000;

/**
 * Rights that one process has at a time, of all that share the database. Clocks are never compared: a lease is taken over when
 * its holder has not renewed it for a whole `ttl`, measured by the process that waits.
 */
@Injectable()
export class Leases implements BeforeApplicationShutdown {
  readonly #log = new Logger('Leases');
  readonly #calls = new Map<Lease, Promise<unknown>>();
  /** The beat of each lease and since when it is known, in monotonic ms, also for calls that replace waiting ones. */
  readonly #seen = new Map<string, { readonly beat: number; readonly since: number }>();
  #isStopped = false;

  constructor(
    private readonly source: JoiningDataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` while this process alone holds the lease `name`, of at most 64 ASCII characters; waits while another one holds it.
   * The signal is aborted if the lease is lost or the service stops. If the process dies, the lease lapses after `ttl` ms.
   *
   * `once` is the time, in ms since 1970, that this run is for: it runs only if neither this nor a later time is done. A time is
   * done when `work` has ended, also by an error, which is logged and not thrown; but not if `work` throws after the signal. With
   * `once` the call also waits while the database is unavailable; without, it throws. A newer call replaces one that waits.
   * @returns the result; undefined if `work` did not run or, with `once`, failed
   */
  async run<Result>(
    name: string,
    ttl: number,
    work: Work<Result>,
    { once }: { readonly once?: number } = {},
  ): Promise<Result | undefined> {
    if (this.source.insideTransaction) throw new Error('Call "leases.run" outside of units of work.');
    if (this.#isStopped) return undefined;
    for (const other of this.#calls.keys()) if (other.name === name && !other.isHeld) other.end.abort();
    const lease = new Lease(name, ttl, () => this.#rows, this.#log);
    const running = this.#run(lease, work, once);
    this.#calls.set(lease, running);
    return running.finally(() => this.#calls.delete(lease));
  }

  /** All leases that were ever held, by name. */
  states(): Promise<LeaseState[]> {
    return this.#rows.find({ order: { name: 'ASC' } });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    for (const { end } of this.#calls.keys()) end.abort(new Error('The service stops.'));
    const ended = Promise.allSettled(this.#calls.values());
    await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  }

  async #run<Result>(lease: Lease, work: Work<Result>, once?: number): Promise<Result | undefined> {
    const { signal } = lease.end;
    const isTaken = await this.#take(lease, once);
    let result: Partial<LeaseState> = {};
    const done = (problem: string | null) => {
      result = { endedAt: this.clock.now(), problem, ...(once !== undefined && { last: once }) };
    };
    try {
      if (!isTaken) return undefined;
      const value = await work(signal);
      done(null);
      return value;
    } catch (error) {
      const problem = (error instanceof Error ? error.message : String(error)).slice(0, MAX_PROBLEM_LENGTH);
      if (!signal.aborted) done(problem);
      if (once === undefined) throw error;
      if (!signal.aborted) this.#log.warn(`"${lease.name}" failed: ${problem}`);
      return undefined;
    } finally {
      await lease.release(result);
    }
  }

  /** Waits for the lease. @returns false if there is nothing to do any more */
  async #take(lease: Lease, once?: number): Promise<boolean> {
    for (let tries = 1; !lease.end.signal.aborted; tries++) {
      try {
        const row = await this.#read(lease.name);
        if (once !== undefined && (row.last ?? -Infinity) >= once) return false;
        const isAbandoned = this.#isAbandoned(row, lease.ttl);
        // A call of this process that held it loses it first, although its timer may be as late as this one: timers run between two
        // turns of the event loop.
        if (isAbandoned) for (let turn = 0; turn < 2; turn++) await setImmediate();
        if (lease.isFree(row) || isAbandoned) {
          if (await lease.take(row, this.clock.now())) return !lease.end.signal.aborted;
        } else if (tries === 1 && once === undefined) {
          this.#log.warn(`Waiting for another process, which holds the lease "${lease.name}".`);
        }
      } catch (error) {
        if (!this.#mayWaitAfter(error, once)) throw error;
      }
      await lease.pause();
    }
    return false;
  }

  /** The row; created if there is none, like the table, which is used before any migration. */
  async #read(name: string): Promise<LeaseState> {
    const { type } = this.source.options;
    const found = await this.#rows.findOneBy({ name }).catch(async (error: unknown) => {
      if (!isMissingTable(error)) throw error;
      await this.source.query(CREATE_LEASES[type === 'mysql' ? 'mysql' : 'sqlite']);
    });
    if (found) return found;
    await this.#rows.insert({ name, beat: 0 }).catch((error: unknown) => {
      if (!(error instanceof DuplicateKey)) throw error;
    });
    return { name, beat: 0 };
  }

  #isAbandoned({ name, beat }: LeaseState, ttl: number): boolean {
    const now = performance.now();
    let seen = this.#seen.get(name);
    if (seen?.beat !== beat) this.#seen.set(name, (seen = { beat, since: now }));
    return now - seen.since >= ttl;
  }

  /** A call for a time waits for the database, quietly; any other fails with it, unless a rival may be the cause. */
  #mayWaitAfter(error: unknown, once?: number): boolean {
    if (!(error instanceof DatabaseUnavailable)) return false;
    this.#log.debug(String(error.cause));
    return once !== undefined || ['conflict', 'rolled_back', 'lost'].includes(error.errorClass);
  }

  get #rows() {
    return this.source.getRepository(LeaseSchema);
  }
}
