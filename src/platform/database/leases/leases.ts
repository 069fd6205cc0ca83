import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { JoiningDataSource } from '../units/data-source.js';
import { DatabaseUnavailable } from '../errors.js';
import { type Call, LeaseRows, type LeaseState, MAX_PROBLEM_LENGTH } from './lease-rows.js';
import { backOff } from '../units/retries.js';

const STOP_TIMEOUT_MS = 2_000;
/** The delays between two tries to take a lease, in ms. */
const POLL_DELAY = { min: 50, max: 1_000 };

/** The reason of the signal if the lease was not renewed in time. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease "${name}" is lost: it was not renewed in time, so another process may hold it.`);
  }
}

/** The nearest minute, which is the time that a `@Cron` method runs for. Its timer fires some milliseconds early or late. */
export const minuteOf = (now: number): number => Math.round(now / 60_000) * 60_000;

/** Exclusive, time-limited locks: one process has a lease at a time, of all processes that share the database. */
@Injectable()
export class Leases implements BeforeApplicationShutdown {
  readonly #log = new Logger('Leases');
  readonly #calls = new Map<AbortController, Promise<unknown>>();
  readonly #waiting = new Map<string, AbortController>();
  #isStopped = false;

  constructor(
    private readonly source: JoiningDataSource,
    private readonly rows: LeaseRows,
  ) {}

  /**
   * Runs `work` while this process alone holds the lease `name`, which has at most 64 ASCII characters. It waits while another process
   * holds the lease. The signal is aborted if the lease is lost or the service stops. If the process dies, the lease lapses after `ttl` ms.
   *
   * `once` is the time, in ms since 1970, that this run is for. The work runs only if neither this time nor a later one is done. A time is
   * done when `work` has ended, also by an error, which is logged and not thrown. It is not done if `work` throws after the signal. With
   * `once` the call also waits while the database is unavailable, and without `once` it throws. A newer call replaces a call that waits.
   * @returns the result. Undefined if `work` did not run, or if it failed and there is `once`
   */
  async run<Result>(
    name: string,
    ttl: number,
    work: (signal: AbortSignal) => Promise<Result>,
    { once }: { readonly once?: number } = {},
  ): Promise<Result | undefined> {
    if (this.source.insideTransaction) throw new Error('Call "leases.run" outside of units of work.');
    if (this.#isStopped) return undefined;
    const end = new AbortController();
    this.#waiting.get(name)?.abort();
    this.#waiting.set(name, end);
    const running = this.#run({ name, holder: randomUUID(), ttl, once }, work, end);
    this.#calls.set(end, running);
    return running.finally(() => this.#calls.delete(end));
  }

  /** All leases that were ever held, by name. */
  states(): Promise<LeaseState[]> {
    return this.rows.all();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    for (const end of this.#calls.keys()) end.abort(new Error('The service stops.'));
    const ended = Promise.allSettled(this.#calls.values());
    await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  }

  async #run<Result>(
    call: Call,
    work: (signal: AbortSignal) => Promise<Result>,
    end: AbortController,
  ): Promise<Result | undefined> {
    const { signal } = end;
    const takenAt = await this.#take(call, signal);
    if (this.#waiting.get(call.name) === end) this.#waiting.delete(call.name);
    if (takenAt === undefined) return undefined;
    const stopRenewing = this.#renew(call, takenAt, end);
    let problem: string | null | undefined;
    try {
      // A newer call is waiting.
      if (signal.aborted) return undefined;
      const result = await work(signal);
      problem = null;
      return result;
    } catch (error) {
      const text = (error instanceof Error ? error.message : String(error)).slice(0, MAX_PROBLEM_LENGTH);
      if (!signal.aborted) problem = text;
      if (call.once === undefined) throw error;
      if (!signal.aborted) this.#log.warn(`"${call.name}" failed: ${text}`);
      return undefined;
    } finally {
      stopRenewing();
      // If that fails, the lease lapses.
      await this.rows.release(call, problem).catch((error: unknown) => this.#log.debug(String(error)));
    }
  }

  /** Waits for the lease. @returns when the call asked for it. Undefined if there is nothing left to do */
  async #take(call: Call, signal: AbortSignal): Promise<number | undefined> {
    for (let tries = 1; !signal.aborted; tries++) {
      const askedAt = performance.now();
      const found = await this.rows.take(call).catch((error: unknown) => {
        // A call for a time waits for the database without a warning. Any other call fails with the database.
        if (!(error instanceof DatabaseUnavailable) || call.once === undefined) throw error;
        this.#log.debug(String(error.cause));
      });
      // The lease may have lapsed before a late response, so the call asks again.
      if (found === 'taken' && performance.now() - askedAt < call.ttl / 3) return askedAt;
      if (found === 'done') return undefined;
      // The first try may only have created the row.
      if (tries === 2 && call.once === undefined)
        this.#log.warn(`Waiting for another process, which holds the lease "${call.name}".`);
      await sleep(backOff(tries, POLL_DELAY), undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  }

  /** Renews the lease until it is lost. It counts as lost before a whole `ttl` has passed, because then another call may take it. */
  #renew(call: Call, takenAt: number, end: AbortController): () => void {
    let renewedAt = takenAt;
    let isOver = false;
    const lose = () => {
      if (isOver || end.signal.aborted) return;
      const lost = new LeaseLost(call.name);
      this.#log.warn(lost.message);
      end.abort(lost);
    };
    const renew = async () => {
      const askedAt = performance.now();
      // The next renewal would be too late.
      // ensures: a holder gives the lease up before another process can take it
      if (askedAt - renewedAt >= (2 * call.ttl) / 3) return lose();
      if (await this.rows.renew(call)) renewedAt = askedAt;
      else lose();
    };
    const timer = setInterval(() => {
      renew().catch((error: unknown) => this.#log.debug(String(error)));
    }, call.ttl / 3);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }
}
