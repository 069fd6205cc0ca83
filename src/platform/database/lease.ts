import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import { EntitySchema, type Repository } from 'typeorm';
import { columns } from './columns.js';

export const MAX_PROBLEM_LENGTH = 500;
const MIN_POLL_MS = 50;
const MAX_POLL_MS = 1_000;

/** A lease and its latest run; while it is held, `endedAt` and `problem` are those of the run before. Times are ms since 1970. */
export interface LeaseState {
  readonly name: string;
  /** The call that holds it. */
  readonly holder?: string | null;
  /** Incremented by every write, so that others see whether the holder is alive. */
  readonly beat: number;
  /** The latest time that is done. */
  readonly last?: number | null;
  readonly begunAt?: number | null;
  readonly endedAt?: number | null;
  /** Why the run failed. */
  readonly problem?: string | null;
}

export const LeaseSchema = new EntitySchema<LeaseState>({
  name: 'Lease',
  tableName: 'leases',
  columns: {
    name: columns.word(64, { primary: true }),
    holder: columns.word(36, { nullable: true }),
    beat: columns.number(),
    last: columns.number({ nullable: true }),
    begunAt: columns.number({ name: 'begun_at', nullable: true }),
    endedAt: columns.number({ name: 'ended_at', nullable: true }),
    problem: columns.text(MAX_PROBLEM_LENGTH, { nullable: true }),
  },
});

/** The reason of the signal if the lease was not renewed in time. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease "${name}" is lost: it was not renewed in time, so another process may hold it.`);
  }
}

/** The lease of one call, while it waits for it and while it holds it. */
export class Lease {
  /** Aborted if a newer call replaces this one, if the lease is lost, or if the service stops. */
  readonly end = new AbortController();
  readonly #holder = randomUUID();
  #expiry: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #renewing = Promise.resolve();
  #mayBeHeld = false;

  constructor(
    readonly name: string,
    readonly ttl: number,
    private readonly rows: () => Repository<LeaseState>,
    private readonly log: Pick<Logger, 'warn' | 'debug'>,
  ) {}

  get isHeld(): boolean {
    return this.#timer !== undefined;
  }

  /** Until it is worth another try. */
  async pause(): Promise<void> {
    const duration = Math.min(Math.max(this.ttl / 10, MIN_POLL_MS), MAX_POLL_MS);
    await sleep(duration, undefined, this.end).catch(() => undefined);
  }

  /** Whether nobody else holds it. This call does if the outcome of an earlier try was unknown. */
  isFree({ holder }: LeaseState): boolean {
    return typeof holder !== 'string' || holder === this.#holder;
  }

  /** Takes the lease if the row is as it was read, and renews it from then on. @returns whether it is taken */
  async take({ name, beat }: LeaseState, now: number): Promise<boolean> {
    this.#mayBeHeld = true;
    const values = { holder: this.#holder, beat: beat + 1, begunAt: now };
    let isTaken = false;
    try {
      // From now on: when the answer comes it may have lapsed already.
      this.#expireAfter(performance.now());
      isTaken = (await this.rows().update({ name, beat }, values)).affected === 1;
    } finally {
      if (!isTaken) clearTimeout(this.#expiry);
    }
    if (!isTaken) return false;
    this.#timer = setInterval(() => {
      const renewed = this.#renewing.then(() => this.#renew());
      this.#renewing = renewed.catch((error: unknown) => this.log.debug(String(error)));
    }, this.ttl / 3);
    return true;
  }

  /** Stores the result and releases the lease. Retries while the database is unavailable, until the lease is lost. */
  async release(result: Partial<LeaseState>): Promise<void> {
    if (!this.#mayBeHeld) return;
    clearInterval(this.#timer);
    await this.#renewing;
    const write = () => this.#write({ ...result, holder: null });
    const isOver = () =>
      write()
        .then(() => true)
        .catch(() => this.end.signal.aborted);
    while (!(await isOver())) await this.pause();
    clearTimeout(this.#expiry);
  }

  async #renew(): Promise<void> {
    const askedAt = performance.now();
    if (await this.#write({})) this.#expireAfter(askedAt);
    else this.#lose();
  }

  /** A whole `ttl` after the last renewal was asked for, which is before any other call may take the lease. */
  #expireAfter(askedAt: number): void {
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(() => this.#lose(), askedAt + this.ttl - performance.now());
  }

  #lose(): void {
    if (this.end.signal.aborted) return;
    const lost = new LeaseLost(this.name);
    this.log.warn(lost.message);
    this.end.abort(lost);
  }

  /** @returns false if another call holds the lease, so that nothing was written */
  async #write(values: Partial<LeaseState>): Promise<boolean> {
    const row = { name: this.name, holder: this.#holder };
    return (await this.rows().update(row, { ...values, beat: () => 'beat + 1' })).affected === 1;
  }
}
