import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Int64 } from '../../kernel/int64.js';
import { writeJson } from '../json/write-json.js';
import { type Backlog, type Notice, OutboxRows } from './outbox-rows.js';
import { OutboxSchema, type StoredNotice } from './outbox.schema.js';

const LONGEST_PROBLEM = 500;

/** Keeps notices in the table `outbox`. */
@Injectable()
export class TypeOrmOutboxRows extends OutboxRows {
  constructor(@InjectRepository(OutboxSchema) private readonly outbox: Repository<StoredNotice>) {
    super();
  }

  /** By hand, for no builder says INSERT ... SELECT: the notice gets its place in the same statement. */
  override async add(notice: Omit<Notice, 'failures'>, now: number): Promise<void> {
    const { id, subscriber, kind, thing, facts } = notice;
    await this.outbox.query(
      `INSERT INTO outbox (id, subscriber, kind, thing, facts, recorded_at, next_try_at, failures, position)
       SELECT ?, ?, ?, ?, ?, ?, ?, 0, COALESCE(MAX(position), 0) + 1 FROM outbox WHERE subscriber = ? AND thing = ?`,
      [id, subscriber, kind, thing, writeJson(facts), now, now, subscriber, thing],
    );
  }

  override due(subscribers: string[], now: number, limit: number): Promise<Notice[]> {
    const notices = this.outbox.createQueryBuilder('notice');
    const earlier = notices
      .subQuery()
      .select('1')
      .from(OutboxSchema, 'earlier')
      .where('earlier.subscriber = notice.subscriber AND earlier.thing = notice.thing')
      .andWhere('earlier.position < notice.position');
    return notices
      .where('notice.subscriber IN (:...subscribers) AND notice.nextTryAt <= :now', { subscribers, now })
      .andWhere(`NOT EXISTS ${earlier.getQuery()}`)
      .limit(limit)
      .getMany();
  }

  override async take(id: Int64): Promise<boolean> {
    return (await this.outbox.delete({ id })).affected === 1;
  }

  override async postpone(id: Int64, until: number, problem: string): Promise<void> {
    const failures = () => 'failures + 1';
    await this.outbox.update(
      { id },
      { failures, nextTryAt: until, problem: problem.slice(0, LONGEST_PROBLEM) },
    );
  }

  override async backlog(): Promise<Backlog[]> {
    const rows = await this.outbox
      .createQueryBuilder('notice')
      .select('notice.subscriber', 'subscriber')
      .addSelect('COUNT(*)', 'waiting')
      .addSelect('MIN(notice.recordedAt)', 'since')
      .addSelect('COUNT(notice.problem)', 'failing')
      .addSelect('MAX(notice.problem)', 'problem')
      .groupBy('notice.subscriber')
      .orderBy('notice.subscriber')
      .getRawMany<Record<'waiting' | 'since' | 'failing', string | number> & Backlog>();
    return rows.map(({ subscriber, waiting, since, failing, problem }) => ({
      subscriber,
      waiting: Number(waiting),
      since: Number(since),
      failing: Number(failing),
      problem,
    }));
  }

  override async drop(subscriber: string): Promise<number> {
    return (await this.outbox.delete({ subscriber })).affected ?? 0;
  }
}
