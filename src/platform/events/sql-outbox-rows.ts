import type { Facts } from '../../kernel/events.js';
import type { Int64 } from '../../kernel/int64.js';
import type { Sql } from '../database/sql.js';
import { parseJson } from '../json/parse-json.js';
import { writeJson } from '../json/write-json.js';
import { type Backlog, type Notice, OutboxRows } from './outbox-rows.js';

type Integer = bigint | string | number;

interface Row {
  readonly id: Integer;
  readonly subscriber: string;
  readonly kind: string;
  readonly thing: string;
  readonly facts: string;
  readonly failures: Integer;
}

const LONGEST_PROBLEM = 500;

/** Keeps notices in the table `outbox`. `position` puts those of one subscriber and thing in order. */
export class SqlOutboxRows extends OutboxRows {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async add(notice: Omit<Notice, 'failures'>, now: number): Promise<void> {
    const { id, subscriber, kind, thing, facts } = notice;
    await this.sql.change(
      `INSERT INTO outbox (id, subscriber, kind, thing, facts, recorded_at, next_try_at, failures, position)
       SELECT ?, ?, ?, ?, ?, ?, ?, 0, COALESCE(MAX(position), 0) + 1 FROM outbox WHERE subscriber = ? AND thing = ?`,
      [id, subscriber, kind, thing, writeJson(facts), now, now, subscriber, thing],
    );
  }

  override async due(subscribers: string[], now: number, limit: number): Promise<Notice[]> {
    const rows = await this.sql.rows<Row>(
      `SELECT id, subscriber, kind, thing, facts, failures FROM outbox AS notice
       WHERE subscriber IN (${subscribers.map(() => '?').join(', ')}) AND next_try_at <= ? AND NOT EXISTS (
         SELECT 1 FROM outbox AS earlier WHERE earlier.subscriber = notice.subscriber
         AND earlier.thing = notice.thing AND earlier.position < notice.position)
       LIMIT ?`,
      [...subscribers, now, limit],
    );
    return rows.map(noticeFrom);
  }

  override async take(id: Int64): Promise<boolean> {
    return (await this.sql.change('DELETE FROM outbox WHERE id = ?', [id])) === 1;
  }

  override async postpone(id: Int64, until: number, problem: string): Promise<void> {
    await this.sql.store(
      'UPDATE outbox SET failures = failures + 1, next_try_at = ?, problem = ? WHERE id = ?',
      [until, problem.slice(0, LONGEST_PROBLEM), id],
    );
  }

  override async backlog(): Promise<Backlog[]> {
    const rows = await this.sql.rows<Record<'waiting' | 'since' | 'failing', Integer> & Backlog>(
      `SELECT subscriber, COUNT(*) AS waiting, MIN(recorded_at) AS since,
         COUNT(problem) AS failing, MAX(problem) AS problem
       FROM outbox GROUP BY subscriber ORDER BY subscriber`,
    );
    return rows.map(({ subscriber, waiting, since, failing, problem }) => ({
      subscriber,
      waiting: Number(waiting),
      since: Number(since),
      failing: Number(failing),
      problem,
    }));
  }

  override drop(subscriber: string): Promise<number> {
    return this.sql.change('DELETE FROM outbox WHERE subscriber = ?', [subscriber]);
  }
}

function noticeFrom({ id, subscriber, kind, thing, facts, failures }: Row): Notice {
  return { id: BigInt(id), subscriber, kind, thing, facts: factsFrom(facts), failures: Number(failures) };
}

/** Every integer of the facts is a bigint again, as it was when they were told. */
function factsFrom(text: string): Facts {
  const stored = parseJson(Buffer.from(text)) as Record<string, string | number | bigint>;
  const facts = Object.entries(stored).map(([name, value]) => [
    name,
    typeof value === 'number' ? BigInt(value) : value,
  ]);
  return Object.fromEntries(facts) as Facts;
}
