import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Interval } from '@nestjs/schedule';
import { EntitySchema, LessThan, MoreThan, Repository } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import { Readiness } from '../../health/readiness.js';
import { withTimeout } from '../../process/timeout.js';
import { columns } from '../columns.js';
import { JoiningDataSource } from '../data-source.js';
import { isMissingTable } from '../database-errors.js';
import { newestOf, writtenAt } from '../migrations/migrator.js';

const POLL_INTERVAL_MS = 1_000;
const BEAT_INTERVAL_MS = 10_000;
/** A replica that was killed counts for this time. */
const LAPSE_MS = 30_000;
const FORGET_MS = 86_400_000;
const LEAVE_TIMEOUT_MS = 500;

/** A process that serves, as stored in the table `replicas`. */
export interface Replica {
  readonly id: string;
  /** For people: the machine and the process. */
  readonly place: string;
  /** The newest migration of its version of the service. */
  readonly newestMigration: string;
  /** When it was last seen, in milliseconds since 1970. */
  readonly seenAt: number;
}

export const ReplicaSchema = new EntitySchema<Replica>({
  name: 'Replica',
  tableName: 'replicas',
  columns: {
    id: columns.word(64, { primary: true }),
    place: columns.text(255),
    newestMigration: columns.text(255, { name: 'newest_migration' }),
    seenAt: columns.number({ name: 'seen_at' }),
  },
  indices: [{ name: 'replicas_by_seen_at', columns: ['seenAt'] }],
});

/** The processes that serve, and the schemas that they need: each updates its row in the table `replicas` every 10 s. */
@Injectable()
export class Replicas implements BeforeApplicationShutdown {
  readonly #id = randomUUID();
  readonly #log = new Logger('Replicas');
  #beatAt: number | undefined;
  #beat: Promise<void> | undefined;
  #isStopped = false;

  constructor(
    @InjectRepository(ReplicaSchema) private readonly stored: Repository<Replica>,
    private readonly source: JoiningDataSource,
    private readonly clock: Clock,
    private readonly readiness: Readiness,
  ) {}

  /** The running replicas whose version has this migration, so that they need it. None before the table exists. */
  async needing(migration: string): Promise<Replica[]> {
    const seenAt = MoreThan(this.clock.now() - LAPSE_MS);
    const alive = await this.stored.findBy({ seenAt }).catch((error: unknown) => {
      if (isMissingTable(error)) return [];
      throw error;
    });
    return alive.filter(({ newestMigration }) => writtenAt(newestMigration) >= writtenAt(migration));
  }

  /** Runs only in a process that serves: a command needs the schema only while it runs. */
  @Interval(POLL_INTERVAL_MS)
  poll(): void {
    const now = this.clock.now();
    const isDue = this.#beatAt === undefined || now - this.#beatAt >= BEAT_INTERVAL_MS;
    if (!isDue || this.#isStopped || !this.readiness.isReady) return;
    this.#beat ??= this.#note(now)
      // The next round retries; a read-only database cannot store it.
      .catch((error: unknown) => this.#log.debug(String(error)))
      .finally(() => (this.#beat = undefined));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    const leave = async () => {
      await this.#beat;
      if (this.#beatAt !== undefined) await this.stored.delete({ id: this.#id });
    };
    await withTimeout(leave(), LEAVE_TIMEOUT_MS).catch(() => undefined);
  }

  async #note(now: number): Promise<void> {
    const { affected } = await this.stored.update({ id: this.#id }, { seenAt: now });
    if (affected !== 1) {
      await this.stored.delete({ seenAt: LessThan(now - FORGET_MS) });
      const place = `${hostname()} (process ${process.pid})`;
      const newestMigration = newestOf(this.source) ?? '';
      await this.stored.insert({ id: this.#id, place, newestMigration, seenAt: now });
    }
    this.#beatAt = now;
  }
}
