import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository, type SelectQueryBuilder } from 'typeorm';
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

/** How many aggregates a part of the due messages looks at. */
const AGGREGATES_OF_PART = 1_000;
/** How many messages are added in one statement. */
const MAX_ROWS = 100;
/** This is SQL, because no query builder supports INSERT ... SELECT, which finds the last position in the same statement. */
const ADD =
  'INSERT INTO outbox (id, subscriber, kind, thing, facts, recorded_at, next_try_at, failures, position)';
const ROW =
  'SELECT ?, ?, ?, ?, ?, ?, 0, 0, COALESCE(MAX(position), 0) + 1 FROM outbox WHERE subscriber = ? AND thing = ?';

/** The messages for one subscriber. */
export interface Backlog {
  readonly subscriber: string;
  readonly waiting: number;
  /** When the oldest waiting message was recorded, in milliseconds since 1970. Null if none waits. */
  readonly since: number | null;
  /** The number of waiting messages that the subscriber has failed to handle, and the error of one of them. */
  readonly failing: number;
  readonly problem: string | null;
  /** The number of messages that were set aside. They do not count as waiting. */
  readonly setAside: number;
}

/** A part of the due messages of one subscriber. */
export interface DuePart {
  readonly messages: OutboxMessage[];
  /** The aggregate after which the next part begins; undefined in the last part. */
  readonly next: string | undefined;
}

/** A message as it was read, or as the claim of it has left it. */
type Claim = Pick<OutboxMessage, 'id' | 'nextTryAt'>;
type Changes = Partial<Pick<OutboxMessage, 'nextTryAt' | 'failures' | 'problem' | 'setAsideAt'>>;

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

  /** The subscribers that have messages, set aside or not. Each one is found without reading its messages. */
  async withMessages(): Promise<string[]> {
    const found: string[] = [];
    for (let after = ''; ;) {
      const first = await this.outbox
        .createQueryBuilder('message')
        .select('MIN(message.subscriber)', 'subscriber')
        .where('message.subscriber > :after', { after })
        .getRawOne<{ subscriber: string | null }>();
      after = first?.subscriber ?? '';
      if (after === '') return found;
      found.push(after);
    }
  }

  /**
   * The messages for a subscriber that may be delivered now: the first message of each aggregate, if it is due. Messages that were set
   * aside do not count. They come in parts, because so many aggregates may wait that reading all of them exceeds the time limit of a
   * statement. A part looks at 1,000 aggregates behind the aggregate `after`. MariaDB and MySQL find each first message in the index
   * `outbox_heads` without reading the messages behind it. SQLite reads the entries of this index, but not their rows.
   */
  async due(subscriber: string, now: number, after = ''): Promise<DuePart> {
    const waiting = (query: SelectQueryBuilder<OutboxMessage>) =>
      query
        .select('head.aggregate', 'aggregate')
        .from(OutboxSchema, 'head')
        .where('head.subscriber = :subscriber AND head.setAsideAt IS NULL AND head.aggregate > :after')
        // With the aggregate alone, MariaDB would read each message.
        .groupBy('head.subscriber')
        .addGroupBy('head.aggregate');
    const parameters = { subscriber, after, now };
    const last = await waiting(this.outbox.manager.createQueryBuilder())
      .setParameters(parameters)
      .orderBy('head.subscriber')
      .addOrderBy('head.aggregate')
      .offset(AGGREGATES_OF_PART - 1)
      .limit(1)
      .getRawOne<Pick<OutboxMessage, 'aggregate'>>();
    const next = last?.aggregate;
    const ofPart = (query: SelectQueryBuilder<OutboxMessage>) => {
      const heads = waiting(query).addSelect('MIN(head.position)', 'position');
      return next === undefined ? heads : heads.andWhere('head.aggregate <= :next');
    };
    const messages = await this.outbox
      .createQueryBuilder('message')
      .innerJoin(ofPart, 'first', 'first.aggregate = message.aggregate AND first.position = message.position')
      .where('message.subscriber = :subscriber AND message.nextTryAt <= :now')
      .setParameters({ ...parameters, next })
      .getMany();
    // On SQLite no statement waits for I/O, so the process would read no request until all parts are read.
    await setImmediate();
    return { messages, next };
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

  /** Changes a message by compare-and-set. @returns false if another replica has changed or deleted it since it was read or claimed */
  async change({ id, nextTryAt }: Claim, changes: Changes): Promise<boolean> {
    const problem = changes.problem?.slice(0, MAX_PROBLEM_LENGTH);
    const values = { ...changes, ...(problem !== undefined && { problem }) };
    return (await this.outbox.update({ id, nextTryAt }, values)).affected === 1;
  }

  /** Deletes a message that was delivered, unless another replica has claimed it meanwhile. */
  async delete({ id, nextTryAt }: Claim): Promise<void> {
    await this.outbox.delete({ id, nextTryAt });
  }

  /** At most `limit` messages for a subscriber that were set aside, oldest first. */
  setAside(subscriber: string, limit: number): Promise<OutboxMessage[]> {
    return this.outbox.find({ where: ofSetAside(subscriber), order: { id: 'ASC' }, take: limit });
  }

  /** Makes messages that were set aside due again: the messages with these ids, or all. @returns their number */
  async resend(subscriber: string, ids?: readonly Int64[]): Promise<number> {
    const where = { ...ofSetAside(subscriber), ...(ids && { id: In(ids) }) };
    const values = { setAsideAt: null, problem: null, nextTryAt: 0, failures: 0 };
    return (await this.outbox.update(where, values)).affected ?? 0;
  }

  async backlog(): Promise<Backlog[]> {
    const waiting = (column: string) => `CASE WHEN message.setAsideAt IS NULL THEN message.${column} END`;
    const rows = await this.outbox
      .createQueryBuilder('message')
      .select('message.subscriber', 'subscriber')
      .addSelect(`COUNT(${waiting('id')})`, 'waiting')
      .addSelect(`MIN(${waiting('recordedAt')})`, 'since')
      .addSelect(`COUNT(${waiting('problem')})`, 'failing')
      .addSelect(`MAX(${waiting('problem')})`, 'problem')
      .addSelect('COUNT(message.setAsideAt)', 'setAside')
      .groupBy('message.subscriber')
      .orderBy('message.subscriber')
      .getRawMany<Record<'waiting' | 'failing' | 'setAside', string | number> & Backlog>();
    return rows.map(({ subscriber, waiting, since, failing, problem, setAside }) => ({
      subscriber,
      waiting: Number(waiting),
      since: since === null ? null : Number(since),
      failing: Number(failing),
      problem,
      setAside: Number(setAside),
    }));
  }

  /** Deletes all messages for a subscriber, or only those that were set aside. @returns their number */
  drop(subscriber: string, onlySetAside = false): Promise<number> {
    return deleteInBatches(this.outbox, onlySetAside ? ofSetAside(subscriber) : { subscriber });
  }
}

const ofSetAside = (subscriber: string) => ({ subscriber, setAsideAt: Not(IsNull()) });
