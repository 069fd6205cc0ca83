import { Injectable } from '@nestjs/common';
import { EntitySchema } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import type { Int64 } from '../../../kernel/int64.js';
import { Sequence } from '../../../kernel/sequence.js';
import { columns } from '../columns.js';
import { JoiningDataSource } from '../data-source.js';

const MIN_BLOCK = 8n;
const MAX_BLOCK = 8_192n;
const GROWTH_FACTOR = 4n;
/** A block that is used up sooner than the first was too small; one that lasts longer than the second was too large. */
const MIN_BLOCK_LIFETIME_MS = 1_000;
const MAX_BLOCK_LIFETIME_MS = 60_000;
/** JavaScript clients round larger integers. */
const MAX_ID = 2n ** 53n;

interface SequenceRow {
  readonly name: string;
  /** The first id that is not reserved. */
  readonly nextId: bigint;
}

export const SequenceSchema = new EntitySchema<SequenceRow>({
  name: 'Sequence',
  tableName: 'sequences',
  withoutRowid: true,
  columns: {
    name: columns.word(64, { primary: true }),
    nextId: columns.int64({ name: 'next_id' }),
  },
});

/** Creates the sequence of a module, by its name in the module's migration. */
@Injectable()
export class Sequences {
  constructor(
    private readonly source: JoiningDataSource,
    private readonly clock: Clock,
  ) {}

  of(name: string): Sequence {
    return new TypeOrmSequence(name, this.source, this.clock);
  }
}

/** The ids of one table, for `provide`. */
export const sequence = (name: string) => ({ of: Sequences, take: (all: Sequences) => all.of(name) });

/**
 * Hi/lo: reserves blocks of ids in the table `sequences` and hands them out from memory. The rest of a block is lost when the
 * process ends, so a quiet service reserves small blocks and a busy one large ones.
 */
export class TypeOrmSequence extends Sequence {
  #next = 0n;
  #end = 0n;
  /** The largest id that was handed out. */
  #last = 0n;
  #size = MIN_BLOCK;
  #reservedAt = Number.NEGATIVE_INFINITY;
  #refilling: Promise<void> | undefined;

  constructor(
    private readonly name: string,
    private readonly source: JoiningDataSource,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async next(): Promise<Int64> {
    while (this.#next === this.#end) {
      if (this.source.insideTransaction) return this.#reserveOne();
      await this.#refill();
    }
    return this.#handOut(this.#next++);
  }

  /**
   * A block must survive a rollback, so it is reserved outside this unit of work, which cannot wait for it: on SQLite the other
   * transaction waits for this one. This id is reserved by the unit itself, and rolled back with its rows.
   */
  async #reserveOne(): Promise<Int64> {
    const id = this.#handOut(await this.#reserve(1n));
    this.source.outsideTransaction(() => this.#refill()).catch(() => undefined); // the next call will report a failure
    return id;
  }

  #handOut(id: Int64): Int64 {
    if (id > this.#last) this.#last = id;
    return id;
  }

  #refill(): Promise<void> {
    this.#refilling ??= this.#fill().finally(() => (this.#refilling = undefined));
    return this.#refilling;
  }

  async #fill(): Promise<void> {
    const now = this.clock.now();
    const lasted = now - this.#reservedAt;
    if (lasted < MIN_BLOCK_LIFETIME_MS && this.#size < MAX_BLOCK) this.#size *= GROWTH_FACTOR;
    if (lasted > MAX_BLOCK_LIFETIME_MS) this.#size = MIN_BLOCK;
    let first = await this.#reserve(this.#size);
    // Meanwhile a unit of work may have reserved a larger id. Ids must grow, so a smaller block is skipped.
    while (first < this.#last) first = await this.#reserve(this.#size);
    this.#reservedAt = now;
    this.#next = first;
    this.#end = first + this.#size;
  }

  /**
   * Concurrent reservations wait for each other, because the row stays locked until the transaction ends. Compare-and-set would
   * starve `#fill`, since reservations inside units of work are always faster. A retry only skips ids.
   */
  #reserve(count: bigint): Promise<Int64> {
    return this.source.run(async () => {
      const sequences = this.source.getRepository(SequenceSchema);
      const { name } = this;
      const { affected } = await sequences.increment({ name }, 'nextId', String(count));
      if (affected !== 1) throw new Error(`No migration has created the sequence "${name}".`);
      const { nextId: end } = await sequences.findOneByOrFail({ name });
      if (end > MAX_ID) throw new Error(`The sequence "${name}" is used up.`);
      return end - count;
    }, 'always');
  }
}
