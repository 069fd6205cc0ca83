import type { Clock } from '../../../kernel/clock.js';
import type { Int64 } from '../../../kernel/int64.js';
import { Sequence } from '../../../kernel/sequence.js';
import type { JoiningDataSource } from '../data-source.js';
import { SequenceSchema } from './sequence.schema.js';

const MIN_BLOCK = 8n;
const MAX_BLOCK = 8_192n;
const GROWTH_FACTOR = 4n;
/** A block that was used up sooner was too small; one that lasted longer than the second, too large. */
const MIN_BLOCK_LIFETIME_MS = 1_000;
const MAX_BLOCK_LIFETIME_MS = 60_000;
/** JavaScript clients read larger integers wrongly. */
const MAX_ID = 2n ** 53n;

/**
 * Hi/lo: reserves a block of ids in the table `sequences` and hands it out from memory. What is left of a block when the
 * process ends is never used, so a quiet service takes small blocks and a busy one large ones.
 */
export class TypeOrmSequence extends Sequence {
  #next = 0n;
  #end = 0n;
  /** The largest id that was handed out. */
  #last = 0n;
  #size = MIN_BLOCK;
  #reservedAt = Number.NEGATIVE_INFINITY;
  #restocking: Promise<void> | undefined;

  constructor(
    private readonly name: string,
    private readonly source: JoiningDataSource,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async next(): Promise<Int64> {
    while (this.#next === this.#end) {
      if (this.source.insideTransaction) return this.#reserveInsideUnit();
      await this.#restock();
    }
    return this.#handOut(this.#next++);
  }

  /**
   * The stock must outlive a rollback, so it is filled outside this unit, which cannot wait for that: on SQLite the other
   * would wait for this one. An id reserved by the unit itself is rolled back with everything that bears it.
   */
  async #reserveInsideUnit(): Promise<Int64> {
    const id = this.#handOut(await this.#reserve(1n));
    this.source.outsideTransaction(() => this.#restock()).catch(() => undefined); // the next to ask will meet the failure
    return id;
  }

  #handOut(id: Int64): Int64 {
    if (id > this.#last) this.#last = id;
    return id;
  }

  #restock(): Promise<void> {
    this.#restocking ??= this.#fill().finally(() => (this.#restocking = undefined));
    return this.#restocking;
  }

  async #fill(): Promise<void> {
    const now = this.clock.now();
    const lasted = now - this.#reservedAt;
    if (lasted < MIN_BLOCK_LIFETIME_MS && this.#size < MAX_BLOCK) this.#size *= GROWTH_FACTOR;
    if (lasted > MAX_BLOCK_LIFETIME_MS) this.#size = MIN_BLOCK;
    let first = await this.#reserve(this.#size);
    // While the block was on its way a unit may have gone past it; ids grow, so what lies behind is left.
    while (first < this.#last) first = await this.#reserve(this.#size);
    this.#reservedAt = now;
    this.#next = first;
    this.#end = first + this.#size;
  }

  /**
   * Who reserves at the same time comes one after the other: the row stays locked until the unit ends. A compare-and-set would
   * starve the stock, for units would always be faster. Done twice, it skips ids.
   */
  #reserve(count: bigint): Promise<Int64> {
    return this.source.inTransaction(async () => {
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
