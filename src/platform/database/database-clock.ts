import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../kernel/clock.js';
import { JoiningDataSource } from './units/data-source.js';
import { DatabaseUnavailable } from './errors.js';
import { singleFlight } from './units/retries.js';

const READ_EVERY_MS = 10_000;
/** The fastest of these readings counts. A slow reading is taken again, until there are `MAX_READINGS`. */
const READINGS = 3;
const MAX_READINGS = 5;
/** A reading that takes longer is slow, because a retry or a queue may be part of it. In ms. */
const SLOW = 100;
/** How far the clock of this machine may be off before the log reports it. In ms. */
const TOLERANCE = 5_000;

/** The SQL expression for the time of the database, in ms since 1970. */
export const NOW = {
  mysql: 'ROUND(1000 * UNIX_TIMESTAMP(NOW(3)))',
  sqlite: "ROUND(1000 * unixepoch('now', 'subsec'))",
};

/** A reading. The time of the database when the monotonic clock was at 0 lies between both ends. */
interface Reading {
  readonly earliest: number;
  readonly latest: number;
}

const durationOf = ({ earliest, latest }: Reading): number => latest - earliest;

/**
 * The clock of the database, for periods that must end at the same moment on all replicas, even if the clocks of their machines differ. It is
 * read when the database is opened, and then every 10 s. Between two readings, and if every reading is slow, it continues by the monotonic
 * clock. A slow reading only corrects a time that is outside its bounds.
 */
@Injectable()
export class DatabaseClock extends Clock {
  readonly #log = new Logger('Clock');
  /** The time of the database when the monotonic clock was at 0. */
  #origin: number | undefined;
  #isOff = false;

  constructor(
    private readonly source: JoiningDataSource,
    private readonly machine: Clock,
  ) {
    super();
  }

  /** @throws DatabaseUnavailable before the first reading */
  override now(): number {
    if (this.#origin === undefined)
      throw new DatabaseUnavailable(new Error('the clock of the database was not read yet'));
    return Math.round(this.#origin + this.machine.monotonic());
  }

  override monotonic(): number {
    return this.machine.monotonic();
  }

  /** Reads the clock. @returns a sentence, which the caller reports, if the clock of this machine is more than 5 s off */
  async read(): Promise<string | undefined> {
    this.#set(await this.#fastestReading());
    const ahead = this.machine.now() - this.now();
    this.#isOff = Math.abs(ahead) > TOLERANCE;
    if (!this.#isOff) return undefined;
    const seconds = Math.round(Math.abs(ahead) / 1_000);
    return `The clock of this machine is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} that of the database.`;
  }

  /** Reads the clock. The log reports when the clock of this machine is off, and when both agree again. */
  async follow(): Promise<void> {
    const wasOff = this.#isOff;
    const deviation = await this.read();
    if (deviation !== undefined && !wasOff) this.#log.warn(`${deviation} Synchronise both clocks with NTP.`);
    if (deviation === undefined && wasOff)
      this.#log.log('The clocks of this machine and of the database agree again.');
  }

  /** While the database does not answer, the clock continues. */
  @Interval(READ_EVERY_MS)
  protected keepFollowing(): Promise<void> {
    return this.#followOnce().catch(() => undefined);
  }

  /** Slow readings may take longer than the interval. */
  readonly #followOnce = singleFlight(() => this.follow());

  async #fastestReading(): Promise<Reading> {
    const readings: Reading[] = [];
    const areEnough = () =>
      readings.filter((reading) => durationOf(reading) <= SLOW).length === READINGS ||
      readings.length === MAX_READINGS;
    while (!areEnough()) readings.push(await this.#readOnce());
    return readings.reduce((one, other) => (durationOf(other) <= durationOf(one) ? other : one));
  }

  async #readOnce(): Promise<Reading> {
    const askedAt = this.machine.monotonic();
    const engine = this.source.options.type === 'mysql' ? 'mysql' : 'sqlite';
    const [row] = await this.source.query<{ now: unknown }[]>(`SELECT ${NOW[engine]} AS now`);
    const now = Number(row!.now);
    return { earliest: now - this.machine.monotonic(), latest: now - askedAt };
  }

  /** A slow reading only corrects what it proves wrong, because the monotonic clock is more exact than its middle. */
  #set(reading: Reading): void {
    const { earliest, latest } = reading;
    const middle = (earliest + latest) / 2;
    const isSlow = durationOf(reading) > SLOW;
    if (isSlow && this.#origin !== undefined) {
      this.#origin = Math.min(Math.max(this.#origin, earliest), latest);
      return;
    }
    this.#origin = middle;
    if (!isSlow) return;
    const off = Math.round(durationOf(reading) / 2);
    this.#log.warn(`The database answers slowly, so its time is known only to ${off} ms. It is read again.`);
  }
}
