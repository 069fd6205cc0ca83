import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { EntitySchema, type FindOptionsWhere, Raw } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { columns } from './columns.js';
import { JoiningDataSource } from './data-source.js';
import { NOW } from './database-clock.js';
import { DatabaseUnavailable, DuplicateKey, isMissingTable } from './errors.js';
import { CREATE_LEASES } from './migrations/create-leases.migration.js';
import { backOff } from './retries.js';

const STOP_TIMEOUT_MS = 2_000;
/** In ms: the waits between two tries to take a lease. */
const WAIT = { min: 50, max: 1_000 };
/** In ms: how far the clocks of replicas may be ahead of the database's. A later time is not believed to be done. */
const AHEAD = 60_000;
const MAX_PROBLEM_LENGTH = 500;

/** A lease and its latest run. Times are milliseconds since 1970, by the database's clock. */
export interface LeaseState {
  readonly name: string;
  /** The call that holds it. */
  readonly holder?: string | null;
  /** When others may take it, unless it is renewed; 0 once it is released. */
  readonly heldUntil: number;
  /** The latest time that is done. */
  readonly last?: number | null;
  readonly begunAt?: number | null;
  /** When the latest run ended, and why it failed; of the run before, while the lease is held. */
  readonly endedAt?: number | null;
  readonly problem?: string | null;
}

export const LeaseSchema = new EntitySchema<LeaseState>({
  name: 'Lease',
  tableName: 'leases',
  columns: {
    name: columns.word(64, { primary: true }),
    holder: columns.word(36, { nullable: true }),
    heldUntil: columns.number({ name: 'held_until' }),
    last: columns.number({ nullable: true }),
    begunAt: columns.number({ name: 'begun_at', nullable: true }),
    endedAt: columns.number({ name: 'ended_at', nullable: true }),
    problem: columns.text(MAX_PROBLEM_LENGTH, { nullable: true }),
  },
});

/** One call of `Leases.run`: what it wants, and who it is. */
interface Call {
  readonly name: string;
  readonly holder: string;
  /** In ms. */
  readonly ttl: number;
  readonly once?: number | undefined;
}

type Where = FindOptionsWhere<LeaseState> | FindOptionsWhere<LeaseState>[];

/** The rows of leases, whose times only the database's clock tells. */
@Injectable()
export class LeaseRows {
  readonly #engine: 'mysql' | 'sqlite';
  readonly #now: string;

  constructor(private readonly source: JoiningDataSource) {
    this.#engine = source.options.type === 'mysql' ? 'mysql' : 'sqlite';
    this.#now = NOW[this.#engine];
  }

  /** Takes a lease that is free, or this call's already, unless its time is done. */
  async take({ name, holder, ttl, once }: Call): Promise<'taken' | 'held' | 'done'> {
    const done = (column: string) => `COALESCE(${column} BETWEEN :once AND ${this.#now} + ${AHEAD}, FALSE)`;
    const due = {
      name,
      ...(once !== undefined && { last: Raw((column) => `NOT ${done(column)}`, { once }) }),
    };
    const lapsed = { ...due, heldUntil: Raw((column) => `${column} <= ${this.#now}`) };
    const values = { holder, heldUntil: this.#in(ttl), begunAt: this.#in(0) };
    try {
      if (await this.#update([lapsed, { ...due, holder }], values)) return 'taken';
      if (once !== undefined && (await this.#rows.existsBy({ name, last: Raw(done, { once }) })))
        return 'done';
      if (await this.#rows.existsBy({ name })) return 'held';
    } catch (error) {
      // Migrations run under a lease, so the table is used before any migration.
      if (!isMissingTable(error)) throw error;
      await this.source.query(CREATE_LEASES[this.#engine]);
    }
    await this.#rows.insert({ name, heldUntil: 0 }).catch((error: unknown) => {
      if (!(error instanceof DuplicateKey)) throw error;
    });
    return 'held';
  }

  /** @returns false if another call holds it */
  renew({ name, holder, ttl }: Call): Promise<boolean> {
    return this.#update({ name, holder }, { heldUntil: this.#in(ttl) });
  }

  /** `problem` is that of a run that ended by itself: null if it went well. */
  async release({ name, holder, once }: Call, problem?: string | null): Promise<void> {
    const end = problem !== undefined && {
      problem,
      endedAt: this.#in(0),
      ...(once !== undefined && { last: once }),
    };
    await this.#update({ name, holder }, { holder: null, heldUntil: 0, ...end });
  }

  all(): Promise<LeaseState[]> {
    return this.#rows.find({ order: { name: 'ASC' } });
  }

  /** What a call writes may be written twice. @returns whether there is such a row */
  async #update(where: Where, values: QueryDeepPartialEntity<LeaseState>): Promise<boolean> {
    return (await this.source.repeat((manager) => manager.update(LeaseSchema, where, values))).affected === 1;
  }

  #in(milliseconds: number) {
    return () => `${this.#now} + ${milliseconds}`;
  }

  get #rows() {
    return this.source.getRepository(LeaseSchema);
  }
}

/** The reason of the signal if the lease was not renewed in time. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease "${name}" is lost: it was not renewed in time, so another process may hold it.`);
  }
}

/** The nearest minute: the time that a `@Cron` method runs for, since its timer fires some milliseconds early or late. */
export const minuteOf = (now: number): number => Math.round(now / 60_000) * 60_000;

/** Rights that one process has at a time, of all that share the database. */
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
      // The answer came too late, or a newer call is waiting.
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

  /** Waits for the lease. @returns when it was asked for; undefined if there is nothing to do any more */
  async #take(call: Call, signal: AbortSignal): Promise<number | undefined> {
    for (let tries = 1; !signal.aborted; tries++) {
      const askedAt = performance.now();
      const found = await this.rows.take(call).catch((error: unknown) => {
        // A call for a time waits for the database, quietly; any other fails with it.
        if (!(error instanceof DatabaseUnavailable) || call.once === undefined) throw error;
        this.#log.debug(String(error.cause));
      });
      if (found === 'taken') return askedAt;
      if (found === 'done') return undefined;
      // The first try may only have created the row.
      if (tries === 2 && call.once === undefined)
        this.#log.warn(`Waiting for another process, which holds the lease "${call.name}".`);
      await sleep(backOff(tries, WAIT), undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  }

  /** Renews the lease until it is lost: a whole `ttl` after it was last asked for, which is before any other call may take it. */
  #renew(call: Call, takenAt: number, end: AbortController): () => void {
    let isOver = false;
    const lose = () => {
      if (isOver || end.signal.aborted) return;
      const lost = new LeaseLost(call.name);
      this.#log.warn(lost.message);
      end.abort(lost);
    };
    let expiry: NodeJS.Timeout | undefined;
    const holdSince = (askedAt: number) => {
      clearTimeout(expiry);
      const left = askedAt + call.ttl - performance.now();
      if (left > 0) expiry = setTimeout(lose, left);
      else lose();
    };
    holdSince(takenAt);
    const renew = async () => {
      const askedAt = performance.now();
      if (!(await this.rows.renew(call))) lose();
      else if (!isOver) holdSince(askedAt);
    };
    const timer = setInterval(() => {
      renew().catch((error: unknown) => this.#log.debug(String(error)));
    }, call.ttl / 3);
    return () => {
      isOver = true;
      clearInterval(timer);
      clearTimeout(expiry);
    };
  }
}
