import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../kernel/clock.js';
import { JoiningDataSource } from './units/data-source.js';
import { DatabaseUnavailable } from './errors.js';

const READ_EVERY_MS = 10_000;
/** In ms: how far the clock of this machine may be off without a word. */
const TOLERANCE = 5_000;

/** Milliseconds since 1970, in SQL. */
export const NOW = {
  mysql: 'ROUND(1000 * UNIX_TIMESTAMP(NOW(3)))',
  sqlite: "ROUND(1000 * unixepoch('now', 'subsec'))",
};

/**
 * The clock of the database, for what must end at the same moment on all replicas, whatever the clocks of their machines say. It
 * is read when the database is opened and then every 10 s; in between it goes on by the monotonic clock.
 */
@Injectable()
export class DatabaseClock extends Clock {
  readonly #log = new Logger('Clock');
  /** Its time when the monotonic clock was at 0. */
  #origin: number | undefined;
  #isOff = false;

  constructor(
    private readonly source: JoiningDataSource,
    private readonly machine: Clock,
  ) {
    super();
  }

  /** @throws DatabaseUnavailable before it was read */
  override now(): number {
    if (this.#origin === undefined)
      throw new DatabaseUnavailable(new Error('the clock of the database was not read yet'));
    return Math.round(this.#origin + this.machine.monotonic());
  }

  override monotonic(): number {
    return this.machine.monotonic();
  }

  /** Reads it. @returns a sentence, which the caller reports, if the clock of this machine is more than 5 s off */
  async read(): Promise<string | undefined> {
    const askedAt = this.machine.monotonic();
    const engine = this.source.options.type === 'mysql' ? 'mysql' : 'sqlite';
    const [row] = await this.source.query<{ now: unknown }[]>(`SELECT ${NOW[engine]} AS now`);
    this.#origin = Number(row!.now) - (askedAt + this.machine.monotonic()) / 2;
    const ahead = this.machine.now() - this.now();
    this.#isOff = Math.abs(ahead) > TOLERANCE;
    if (!this.#isOff) return undefined;
    const seconds = Math.round(Math.abs(ahead) / 1_000);
    return `The clock of this machine is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} that of the database.`;
  }

  /** Reads it; the log tells when the clock of this machine is off, and when it no longer is. */
  async follow(): Promise<void> {
    const wasOff = this.#isOff;
    const deviation = await this.read();
    if (deviation !== undefined && !wasOff) this.#log.warn(`${deviation} Synchronise both clocks with NTP.`);
    if (deviation === undefined && wasOff)
      this.#log.log('The clocks of this machine and of the database agree again.');
  }

  /** While the database does not answer, the clock goes on. */
  @Interval(READ_EVERY_MS)
  protected keepFollowing(): Promise<void> {
    return this.follow().catch(() => undefined);
  }
}
