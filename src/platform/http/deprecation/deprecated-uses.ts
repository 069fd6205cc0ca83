import type { Clock } from '../../../kernel/clock.js';
import { DuplicateKey } from '../../database/database-errors.js';
import type { Sql } from '../../database/sql.js';
import { DAY, dayOf } from './deprecation.js';

/** In days: who comes once a year is still known when the time comes again. */
const KEPT_FOR = 400;

/** How often one key used one deprecated operation on one day. */
export interface DayOfUse {
  readonly operation: string;
  /** The caller's id, see `callerOf`. */
  readonly keyId: string;
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  readonly uses: number;
  /** In milliseconds since 1970. */
  readonly lastUsedAt: number;
}

/** What one key did to one operation, over several days. */
export type UseByKey = Omit<DayOfUse, 'day'>;

interface Row {
  readonly operation: string;
  readonly key_id: string;
  readonly uses: bigint | string | number;
  readonly last_used_at: bigint | string | number;
}

/** Keeps who uses deprecated operations in the table `deprecated_uses`, to which all replicas add. */
export class DeprecatedUses {
  #purgedOn = '';

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Adds to what was counted before. The first of several replicas makes the row, whoever comes later changes it. */
  async add({ operation, keyId, day, uses, lastUsedAt }: DayOfUse): Promise<void> {
    const addToRow = () =>
      this.sql.change(
        `UPDATE deprecated_uses SET uses = uses + ?,
         last_used_at = CASE WHEN last_used_at < ? THEN ? ELSE last_used_at END
         WHERE operation = ? AND key_id = ? AND day = ?`,
        [uses, lastUsedAt, lastUsedAt, operation, keyId, day],
      );
    if ((await addToRow()) === 1) return;
    try {
      await this.sql.change(
        'INSERT INTO deprecated_uses (operation, key_id, day, uses, last_used_at) VALUES (?, ?, ?, ?, ?)',
        [operation, keyId, day, uses, lastUsedAt],
      );
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
      await addToRow();
    }
  }

  /** What happened from this day on (`YYYY-MM-DD`, in UTC), by operation and key: who came last comes first. */
  async since(day: string): Promise<UseByKey[]> {
    const rows = await this.sql.rows<Row>(
      `SELECT operation, key_id, SUM(uses) AS uses, MAX(last_used_at) AS last_used_at FROM deprecated_uses
       WHERE day >= ? GROUP BY operation, key_id ORDER BY MAX(last_used_at) DESC, operation, key_id`,
      [day],
    );
    return rows.map(({ operation, key_id, uses, last_used_at }) => ({
      operation,
      keyId: key_id,
      uses: Number(uses),
      lastUsedAt: Number(last_used_at),
    }));
  }

  /** Forgets what is too old, once a day: no index leads to old days. @returns how many rows that were */
  async purge(): Promise<number> {
    const now = this.clock.now();
    const today = dayOf(now);
    if (today === this.#purgedOn) return 0;
    const oldest = dayOf(now - KEPT_FOR * DAY);
    const purged = await this.sql.change('DELETE FROM deprecated_uses WHERE day < ?', [oldest]);
    this.#purgedOn = today;
    return purged;
  }
}
