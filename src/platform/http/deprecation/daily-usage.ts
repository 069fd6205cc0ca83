import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntitySchema, LessThan, Repository } from 'typeorm';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../../kernel/clock.js';
import { columns } from '../../database/columns.js';
import { DuplicateKey } from '../../database/database-errors.js';
import { OldRows } from '../../database/purge.js';
import { deleteInBatches } from '../../database/queries/delete-in-batches.js';
import { DAY_MS, dayOf } from './deprecation.js';
import { withTimeout } from '../../process/timeout.js';

/** More than a year, so that a key that is used once a year is still listed the next time. */
const RETENTION_DAYS = 400;

/** How often one key used one deprecated operation on one day. */
export interface DailyUsage {
  readonly operation: string;
  /** The caller's id, see `callerId`. */
  readonly keyId: string;
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  readonly uses: number;
  /** In milliseconds since 1970. */
  readonly lastUsedAt: number;
}

export const DailyUsageSchema = new EntitySchema<DailyUsage>({
  name: 'DailyUsage',
  tableName: 'deprecated_uses',
  withoutRowid: true,
  columns: {
    operation: columns.word(128, { primary: true }),
    keyId: columns.word(64, { name: 'key_id', primary: true }),
    day: columns.word(10, { type: 'char', primary: true }),
    uses: columns.number(),
    lastUsedAt: columns.number({ name: 'last_used_at' }),
  },
});

/** Counts the uses of deprecated operations in the table `deprecated_uses`, which all replicas update. */
@Injectable()
export class DailyUsageRepository extends OldRows {
  readonly schedule = 'once a day';

  constructor(
    @InjectRepository(DailyUsageSchema) private readonly days: Repository<DailyUsage>,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Adds to the stored count. The first of several replicas inserts the row, the others update it. */
  async add(more: DailyUsage): Promise<void> {
    if (await this.#addToRow(more)) return;
    try {
      await this.days.insert(more);
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
      await this.#addToRow(more);
    }
  }

  /** The usage from this day on (`YYYY-MM-DD`, in UTC), by operation and key, the latest first. */
  async since(day: string): Promise<Omit<DailyUsage, 'day'>[]> {
    const rows = await this.days
      .createQueryBuilder('day')
      .select('day.operation', 'operation')
      .addSelect('day.keyId', 'keyId')
      .addSelect('SUM(day.uses)', 'uses')
      .addSelect('MAX(day.lastUsedAt)', 'lastUsedAt')
      .where('day.day >= :day', { day })
      .groupBy('day.operation, day.keyId')
      .orderBy('MAX(day.lastUsedAt)', 'DESC')
      .addOrderBy('day.operation')
      .addOrderBy('day.keyId')
      .getRawMany<Omit<DailyUsage, 'day'>>();
    // SQLite returns numbers, MySQL strings.
    return rows.map((row) => ({ ...row, uses: Number(row.uses), lastUsedAt: Number(row.lastUsedAt) }));
  }

  override purge(): Promise<number> {
    const oldest = dayOf(this.clock.now() - RETENTION_DAYS * DAY_MS);
    return deleteInBatches(this.days, { day: LessThan(oldest) });
  }

  /** @returns whether the row exists */
  async #addToRow({ operation, keyId, day, uses, lastUsedAt }: DailyUsage): Promise<boolean> {
    const { affected } = await this.days
      .createQueryBuilder()
      .update()
      .set({
        uses: () => 'uses + :uses',
        lastUsedAt: () => 'CASE WHEN last_used_at < :lastUsedAt THEN :lastUsedAt ELSE last_used_at END',
      })
      .where({ operation, keyId, day })
      .setParameters({ uses, lastUsedAt })
      .execute();
    return affected === 1;
  }
}

/** The maximum number of pairs of operation and key that are counted between two writes; others are dropped. */
const MAX_COUNTS = 10_000;
/** A stopping service does not wait for a database that does not answer. */
const LAST_WRITE_TIMEOUT_MS = 500;

/** Counts the uses of deprecated operations in memory, and writes them to the database once a minute and at the end. */
@Injectable()
export class UsageRecorder implements BeforeApplicationShutdown {
  readonly #log = new Logger('Deprecation');
  /** Grows with the number of keys, not of requests, and is replaced as a whole: see `InFlight`. */
  #counts = new Map<string, DailyUsage>();
  #writing: Promise<void> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly usage: DailyUsageRepository,
  ) {}

  count(operation: string, keyId: string): void {
    const now = this.clock.now();
    const name = `${Math.floor(now / DAY_MS)} ${keyId} ${operation}`;
    const day = this.#counts.get(name)?.day ?? dayOf(now);
    this.#add(name, { operation, keyId, day, uses: 1, lastUsedAt: now });
  }

  async beforeApplicationShutdown(): Promise<void> {
    const written = (this.#writing ?? Promise.resolve()).then(() => this.write());
    await withTimeout(written, LAST_WRITE_TIMEOUT_MS);
  }

  /** One write at a time; what fails is written in the next round. */
  @Interval(60_000)
  write(): Promise<void> {
    return (this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined)));
  }

  async #writeAll(): Promise<void> {
    const counts = [...this.#counts];
    if (counts.length > 0) this.#counts = new Map();
    for (const [i, [, count]] of counts.entries()) {
      try {
        await this.usage.add(count);
      } catch (error) {
        this.#log.debug(String(error));
        for (const [name, unwritten] of counts.slice(i)) this.#add(name, unwritten);
        return;
      }
    }
  }

  #add(name: string, more: DailyUsage): void {
    const { uses = 0, lastUsedAt = 0 } = this.#counts.get(name) ?? {};
    if (uses === 0 && this.#counts.size >= MAX_COUNTS) return;
    const latest = Math.max(lastUsedAt, more.lastUsedAt);
    this.#counts.set(name, { ...more, uses: uses + more.uses, lastUsedAt: latest });
  }
}
