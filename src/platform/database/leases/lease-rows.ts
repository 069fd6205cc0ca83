import { Injectable } from '@nestjs/common';
import { EntitySchema, type FindOptionsWhere, Raw } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { columns } from '../columns.js';
import { JoiningDataSource } from '../units/data-source.js';
import { NOW } from '../database-clock.js';
import { DuplicateKey, isMissingTable } from '../errors.js';
import { CREATE_LEASES } from '../migrations/create-leases.migration.js';

export const MAX_PROBLEM_LENGTH = 500;
/** How far the clocks of replicas may be ahead of the database's clock, in ms. A time that is even later does not count as done. */
const AHEAD = 60_000;

/** A lease and its latest run. Times are in ms since 1970, by the database's clock. */
export interface LeaseState {
  readonly name: string;
  /** The call that holds it. */
  readonly holder?: string | null;
  /** When others may take it, unless it is renewed. It is 0 after a release. */
  readonly heldUntil: number;
  /** The latest time that is done. */
  readonly last?: number | null;
  readonly begunAt?: number | null;
  /** When the latest complete run ended, and why it failed. While the lease is held, this is the run before. */
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

/** One call of `Leases.run`. */
export interface Call {
  readonly name: string;
  readonly holder: string;
  /** In ms. */
  readonly ttl: number;
  readonly once?: number | undefined;
}

type Where = FindOptionsWhere<LeaseState> | FindOptionsWhere<LeaseState>[];

/** The rows of leases. All their times come from the database's clock. */
@Injectable()
export class LeaseRows {
  readonly #engine: 'mysql' | 'sqlite';
  readonly #now: string;

  constructor(private readonly source: JoiningDataSource) {
    this.#engine = source.options.type === 'mysql' ? 'mysql' : 'sqlite';
    this.#now = NOW[this.#engine];
  }

  /** Takes a lease that is free, or that this call already has, unless its time is done. */
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
      if (once !== undefined && (await this.#rows.findOneBy({ name, last: Raw(done, { once }) })))
        return 'done';
      if (await this.#rows.findOneBy({ name })) return 'held';
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

  /** `problem` is why the run failed, and null if it succeeded. It is undefined if the run did not end by itself. */
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

  /** Repeats a change that may be executed twice. @returns whether there is such a row */
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
