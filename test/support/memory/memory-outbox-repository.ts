import type { Int64 } from '../../../src/kernel/int64.js';
import type { Backlog, OutboxMessages } from '../../../src/platform/events/outbox-repository.js';
import {
  type NewMessage,
  type OutboxMessage,
  writePayload,
} from '../../../src/platform/events/outbox.schema.js';
import type { MemoryUnitOfWork } from './memory-unit-of-work.js';

/** Keeps messages in memory, in order of arrival, for tests that need no database. */
export class MemoryOutboxRepository implements OutboxMessages {
  readonly #messages: Map<Int64, OutboxMessage>;

  constructor(private readonly units: MemoryUnitOfWork) {
    this.#messages = units.table();
  }

  add(messages: readonly NewMessage[], now: number): Promise<void> {
    const times = { recordedAt: now, nextTryAt: 0 };
    return this.units.run(async () => {
      for (const message of messages) {
        // Rejects values that cannot be stored.
        writePayload(message.payload);
        const position = this.#messages.size;
        this.#messages.set(message.id, { ...message, ...times, position, failures: 0, problem: null });
      }
    });
  }

  due(subscribers: string[], now: number, limit: number): Promise<OutboxMessage[]> {
    return this.units.run(async () => {
      const first = new Map<string, OutboxMessage>();
      for (const row of this.#messages.values()) {
        const line = `${row.subscriber} ${row.aggregate}`;
        if (!first.has(line)) first.set(line, row);
      }
      return [...first.values()]
        .filter(({ subscriber, nextTryAt }) => subscribers.includes(subscriber) && nextTryAt <= now)
        .slice(0, limit);
    });
  }

  take(id: Int64): Promise<boolean> {
    return this.units.run(async () => this.#messages.delete(id));
  }

  scheduleRetry(id: Int64, nextTryAt: number, problem: string): Promise<void> {
    return this.units.run(async () => {
      const row = this.#messages.get(id);
      if (row) this.#messages.set(id, { ...row, failures: row.failures + 1, nextTryAt, problem });
    });
  }

  backlog(): Promise<Backlog[]> {
    return this.units.run(async () => {
      const names = [...new Set([...this.#messages.values()].map(({ subscriber }) => subscriber))].sort();
      return names.map((subscriber) => {
        const outbox = [...this.#messages.values()].filter((row) => row.subscriber === subscriber);
        const problems = outbox.flatMap(({ problem }) => problem ?? []);
        const since = Math.min(...outbox.map(({ recordedAt }) => recordedAt));
        const problem = problems.sort().at(-1) ?? null;
        return { subscriber, waiting: outbox.length, since, failing: problems.length, problem };
      });
    });
  }

  drop(subscriber: string): Promise<number> {
    return this.units.run(async () => {
      const outbox = [...this.#messages.values()].filter((row) => row.subscriber === subscriber);
      for (const { id } of outbox) this.#messages.delete(id);
      return outbox.length;
    });
  }
}
