import type { Int64 } from '../../../src/kernel/int64.js';
import type { Backlog, DuePart, OutboxMessages } from '../../../src/platform/events/outbox-repository.js';
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

  withMessages(): Promise<string[]> {
    return this.units.run(async () =>
      [...new Set([...this.#messages.values()].map(({ subscriber }) => subscriber))].sort(),
    );
  }

  due(subscriber: string, now: number, after = ''): Promise<DuePart> {
    return this.units.run(async () => {
      const first = new Map<string, OutboxMessage>();
      for (const row of this.#messages.values()) {
        const isWaiting = row.subscriber === subscriber && !isSetAside(row) && row.aggregate > after;
        if (isWaiting && !first.has(row.aggregate)) first.set(row.aggregate, row);
      }
      const heads = [...first.values()].sort((one, other) => (one.aggregate < other.aggregate ? -1 : 1));
      const messages = heads.slice(0, 1_000).filter(({ nextTryAt }) => nextTryAt <= now);
      return { messages, next: heads[999]?.aggregate };
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

  change(
    { id, nextTryAt }: Pick<OutboxMessage, 'id' | 'nextTryAt'>,
    changes: Partial<OutboxMessage>,
  ): Promise<boolean> {
    return this.units.run(async () => {
      const row = this.#messages.get(id);
      if (row?.nextTryAt !== nextTryAt) return false;
      this.#messages.set(id, { ...row, ...changes });
      return true;
    });
  }

  delete({ id, nextTryAt }: Pick<OutboxMessage, 'id' | 'nextTryAt'>): Promise<void> {
    return this.units.run(async () => {
      if (this.#messages.get(id)?.nextTryAt === nextTryAt) this.#messages.delete(id);
    });
  }

  setAside(subscriber: string, limit: number): Promise<OutboxMessage[]> {
    return this.units.run(async () => this.#setAside(subscriber).slice(0, limit));
  }

  resend(subscriber: string, ids?: readonly Int64[]): Promise<number> {
    return this.units.run(async () => {
      const rows = this.#setAside(subscriber).filter(({ id }) => ids?.includes(id) ?? true);
      const values = { setAsideAt: null, problem: null, nextTryAt: 0, failures: 0 };
      for (const row of rows) this.#messages.set(row.id, { ...row, ...values });
      return rows.length;
    });
  }

  #setAside(subscriber: string): OutboxMessage[] {
    return [...this.#messages.values()].filter((row) => row.subscriber === subscriber && isSetAside(row));
  }

  backlog(): Promise<Backlog[]> {
    return this.units.run(async () => {
      const names = [...new Set([...this.#messages.values()].map(({ subscriber }) => subscriber))].sort();
      return names.map((subscriber) => {
        const rows = [...this.#messages.values()].filter((row) => row.subscriber === subscriber);
        const waiting = rows.filter((row) => !isSetAside(row));
        const problems = waiting.flatMap(({ problem }) => problem ?? []);
        return {
          subscriber,
          waiting: waiting.length,
          since: waiting.map(({ recordedAt }) => recordedAt).sort((one, other) => one - other)[0] ?? null,
          failing: problems.length,
          problem: problems.sort().at(-1) ?? null,
          setAside: rows.length - waiting.length,
        };
      });
    });
  }

  drop(subscriber: string, onlySetAside = false): Promise<number> {
    return this.units.run(async () => {
      const all = [...this.#messages.values()].filter((row) => row.subscriber === subscriber);
      const rows = onlySetAside ? all.filter(isSetAside) : all;
      for (const { id } of rows) this.#messages.delete(id);
      return rows.length;
    });
  }
}

const isSetAside = ({ setAsideAt }: OutboxMessage): boolean => typeof setAsideAt === 'number';
