import { Injectable } from '@nestjs/common';
import { EntitySchema } from 'typeorm';
import type { Int64 } from '../../../kernel/int64.js';
import { Sequence } from '../../../kernel/sequence.js';
import { columns } from '../columns.js';
import { JoiningDataSource } from '../units/data-source.js';
import { singleFlight } from '../units/retries.js';

/** How many ids are reserved at a time. The ids that are left when the process ends are never assigned. */
const BLOCK = 1_000n;
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

/** The sequences of all modules, by their names in the migrations. */
@Injectable()
export class Sequences {
  readonly #all = new Map<string, Sequence>();

  constructor(private readonly source: JoiningDataSource) {}

  /** The sequence with this name. It is the same for each call, because each sequence reserves ids of its own. */
  of(name: string): Sequence {
    const sequence = this.#all.get(name) ?? new TypeOrmSequence(name, this.source);
    this.#all.set(name, sequence);
    return sequence;
  }
}

/** The ids of one table, for `provide`. */
export const sequence = (name: string) => ({ of: Sequences, take: (all: Sequences) => all.of(name) });

/** Reserves a block of ids in the table `sequences` when the last block is used up, and assigns the ids from memory (hi/lo). */
export class TypeOrmSequence extends Sequence {
  /** The rest of the block. */
  #next = 0n;
  #end = 0n;
  /** The largest id that a unit of work has reserved for itself. */
  #largestAlone = 0n;

  constructor(
    private readonly name: string,
    private readonly source: JoiningDataSource,
  ) {
    super();
  }

  override async next(): Promise<Int64> {
    while (this.#isUsedUp) {
      if (this.source.insideTransaction) return this.#reserveAlone();
      await this.#refill();
    }
    return this.#next++;
  }

  /** A unit of work reserves all ids at once, unless the block has as many. */
  override async nextMany(count: number): Promise<Int64[]> {
    const isInBlock = !this.#isUsedUp && this.#end - this.#next >= count;
    if (count === 0 || isInBlock || !this.source.insideTransaction) return super.nextMany(count);
    const first = await this.#reserveAlone(BigInt(count));
    return Array.from({ length: count }, (_, i) => first + BigInt(i));
  }

  /** Ids must grow. A block that was reserved before a unit of work reserved a larger id counts as used up. */
  get #isUsedUp(): boolean {
    return this.#next === this.#end || this.#next < this.#largestAlone;
  }

  /**
   * Reserves ids inside this unit of work, which are rolled back together with its rows. A block must survive a rollback, so it is reserved
   * outside of the unit. The unit cannot wait for the block, because on SQLite the other transaction waits for the unit.
   *
   * @returns the first of them
   */
  async #reserveAlone(count = 1n): Promise<Int64> {
    const first = await this.#reserve(count);
    const last = first + count - 1n;
    if (last > this.#largestAlone) this.#largestAlone = last;
    // The next call that needs the block will report a failure.
    if (this.#isUsedUp) this.source.outsideTransaction(() => this.#refill()).catch(() => undefined);
    return first;
  }

  readonly #refill = singleFlight(async () => {
    this.#next = await this.#reserve(BLOCK);
    this.#end = this.#next + BLOCK;
  });

  /**
   * Concurrent reservations wait for each other, because the row stays locked until the transaction ends. With compare-and-set `#refill`
   * would never succeed while units of work reserve ids, because they are always faster. A retry only skips ids.
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
