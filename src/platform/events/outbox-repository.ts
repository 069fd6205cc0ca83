import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Int64 } from '../../kernel/int64.js';
import { DuplicateKey } from '../database/errors.js';
import { forUpdate } from '../database/queries/query-hints.js';
import { deleteInBatches } from '../database/queries/delete-in-batches.js';
import {
  IN_ORDER,
  type NewMessage,
  type OutboxMessage,
  OutboxSchema,
  writePayload,
} from './outbox.schema.js';

const MAX_PROBLEM_LENGTH = 500;

/** How many messages are added in one statement. */
const MAX_ROWS = 100;
/** This is SQL, because no query builder supports INSERT ... SELECT, which finds the last position in the same statement. */
const ADD =
  'INSERT INTO outbox (id, subscriber, kind, thing, facts, recorded_at, next_try_at, failures, position)';
const ROW =
  'SELECT ?, ?, ?, ?, ?, ?, 0, 0, COALESCE(MAX(position), 0) + 1 FROM outbox WHERE subscriber = ? AND thing = ?';

/** The messages that wait for one subscriber. */
export interface Backlog {
  readonly subscriber: string;
  readonly waiting: number;
  /** When the oldest message was recorded, in milliseconds since 1970. */
  readonly since: number;
  /** The number of messages that the subscriber has failed to handle, and the error of one of them. */
  readonly failing: number;
  readonly problem: string | null;
}

/** The interface of `OutboxRepository`, for test doubles. */
export type OutboxMessages = Pick<OutboxRepository, keyof OutboxRepository>;

@Injectable()
export class OutboxRepository {
  constructor(@InjectRepository(OutboxSchema) private readonly outbox: Repository<OutboxMessage>) {}

  /**
   * Appends messages after the others of the same subscriber and aggregate, in the caller's unit of work. They are due at once,
   * whatever the clock of the delivering replica shows.
   */
  async add(messages: readonly NewMessage[], now: number): Promise<void> {
    // Two messages of the same subscriber and aggregate cannot get their positions in the same statement.
    let some = new Map<string, unknown[]>();
    const flush = async () => {
      const rows = Array.from(some, () => ROW).join(' UNION ALL ');
      if (some.size > 0) await this.#insert(`${ADD} ${rows}`, [...some.values()].flat());
      some = new Map();
    };
    for (const { id, subscriber, type, aggregate, payload } of messages) {
      const line = `${subscriber} ${aggregate}`;
      if (some.has(line) || some.size === MAX_ROWS) await flush();
      some.set(line, [id, subscriber, type, aggregate, writePayload(payload), now, subscriber, aggregate]);
    }
    await flush();
  }

  /**
   * Another unit of work that has not changed the aggregate either may take the same position. The next try takes the position
   * after it.
   */
  async #insert(statement: string, values: unknown[]): Promise<void> {
    for (;;) {
      try {
        return await this.outbox.query(statement, values);
      } catch (error) {
        if (!(error instanceof DuplicateKey) || error.driverError.constraint !== IN_ORDER) throw error;
      }
    }
  }

  /**
   * The messages for these subscribers that may be delivered now: the first message of each subscriber and aggregate, and at most
   * `limit`.
   */
  due(subscribers: string[], now: number, limit: number): Promise<OutboxMessage[]> {
    const messages = this.outbox.createQueryBuilder('message');
    const earlier = messages
      .subQuery()
      .select('1')
      .from(OutboxSchema, 'earlier')
      .where('earlier.subscriber = message.subscriber AND earlier.aggregate = message.aggregate')
      .andWhere('earlier.position < message.position');
    return messages
      .where('message.subscriber IN (:...subscribers) AND message.nextTryAt <= :now', { subscribers, now })
      .andWhere(`NOT EXISTS ${earlier.getQuery()}`)
      .limit(limit)
      .getMany();
  }

  /** Deletes a message in the caller's unit of work. @returns false if another replica holds the message, or has deleted it */
  async take(id: Int64): Promise<boolean> {
    const found = forUpdate(this.outbox.createQueryBuilder('message').where({ id }), 'skip');
    return (await found.getOne()) !== null && (await this.outbox.delete({ id })).affected === 1;
  }

  async scheduleRetry(id: Int64, nextTryAt: number, problem: string): Promise<void> {
    const failures = () => 'failures + 1';
    await this.outbox.update({ id }, { failures, nextTryAt, problem: problem.slice(0, MAX_PROBLEM_LENGTH) });
  }

  async backlog(): Promise<Backlog[]> {
    const rows = await this.outbox
      .createQueryBuilder('message')
      .select('message.subscriber', 'subscriber')
      .addSelect('COUNT(*)', 'waiting')
      .addSelect('MIN(message.recordedAt)', 'since')
      .addSelect('COUNT(message.problem)', 'failing')
      .addSelect('MAX(message.problem)', 'problem')
      .groupBy('message.subscriber')
      .orderBy('message.subscriber')
      .getRawMany<Record<'waiting' | 'since' | 'failing', string | number> & Backlog>();
    return rows.map(({ subscriber, waiting, since, failing, problem }) => ({
      subscriber,
      waiting: Number(waiting),
      since: Number(since),
      failing: Number(failing),
      problem,
    }));
  }

  /** Deletes all messages for a subscriber. @returns their number */
  drop(subscriber: string): Promise<number> {
    return deleteInBatches(this.outbox, { subscriber });
  }
}
