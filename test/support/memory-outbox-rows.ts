import type { Int64 } from '../../src/kernel/int64.js';
import { type Backlog, type Notice, OutboxRows } from '../../src/platform/events/outbox-rows.js';
import type { MemoryUnitOfWork } from '../../src/platform/memory/memory-unit-of-work.js';

interface Row extends Notice {
  readonly recordedAt: number;
  readonly nextTryAt: number;
  readonly problem: string | null;
}

/** Keeps notices in memory, in the order in which they came: the double of every test that needs no database. */
export class MemoryOutboxRows extends OutboxRows {
  readonly #rows: Map<Int64, Row>;

  constructor(private readonly units: MemoryUnitOfWork) {
    super();
    this.#rows = units.table();
  }

  override add(notice: Omit<Notice, 'failures'>, now: number): Promise<void> {
    const row = { ...notice, failures: 0, recordedAt: now, nextTryAt: now, problem: null };
    return this.units.run(async () => void this.#rows.set(notice.id, row));
  }

  override due(subscribers: string[], now: number, limit: number): Promise<Notice[]> {
    return this.units.run(async () => {
      const first = new Map<string, Row>();
      for (const row of this.#rows.values()) {
        const line = `${row.subscriber} ${row.thing}`;
        if (!first.has(line)) first.set(line, row);
      }
      return [...first.values()]
        .filter(({ subscriber, nextTryAt }) => subscribers.includes(subscriber) && nextTryAt <= now)
        .slice(0, limit);
    });
  }

  override take(id: Int64): Promise<boolean> {
    return this.units.run(async () => this.#rows.delete(id));
  }

  override postpone(id: Int64, nextTryAt: number, problem: string): Promise<void> {
    return this.units.run(async () => {
      const row = this.#rows.get(id);
      if (row) this.#rows.set(id, { ...row, failures: row.failures + 1, nextTryAt, problem });
    });
  }

  override backlog(): Promise<Backlog[]> {
    return this.units.run(async () => {
      const names = [...new Set([...this.#rows.values()].map(({ subscriber }) => subscriber))].sort();
      return names.map((subscriber) => {
        const rows = [...this.#rows.values()].filter((row) => row.subscriber === subscriber);
        const problems = rows.flatMap(({ problem }) => problem ?? []);
        const since = Math.min(...rows.map(({ recordedAt }) => recordedAt));
        const problem = problems.sort().at(-1) ?? null;
        return { subscriber, waiting: rows.length, since, failing: problems.length, problem };
      });
    });
  }

  override drop(subscriber: string): Promise<number> {
    return this.units.run(async () => {
      const rows = [...this.#rows.values()].filter((row) => row.subscriber === subscriber);
      for (const { id } of rows) this.#rows.delete(id);
      return rows.length;
    });
  }
}
