import { Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../kernel/clock.js';

const DAY_MS = 86_400_000;

/** Rows that are kept for a limited time. A module adds its own by listing the class among its providers. */
export abstract class OldRows {
  /** How often to look for old rows: once a day if no index leads to them. */
  abstract readonly schedule: 'each minute' | 'once a day';
  /** Deletes old rows in batches. @returns the number of rows */
  abstract purge(): Promise<number>;
}

/** Deletes old rows. Several replicas may do so at the same time. */
@Injectable()
export class Purge {
  readonly #log = new Logger('Purge');
  /** The last day on which rows were purged, in days since 1970. */
  readonly #days = new Map<OldRows, number>();
  #round: Promise<void> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly clock: Clock,
  ) {}

  /** A large backlog may take longer than a minute; the rounds in between are skipped. */
  @Interval(60_000)
  run(): Promise<void> {
    return (this.#round ??= this.#purge().finally(() => (this.#round = undefined)));
  }

  async #purge(): Promise<void> {
    const today = Math.floor(this.clock.now() / DAY_MS);
    for (const { instance } of this.discovery.getProviders()) {
      const rows = instance as unknown;
      if (!(rows instanceof OldRows)) continue;
      if (rows.schedule === 'once a day' && this.#days.get(rows) === today) continue;
      try {
        await rows.purge();
        this.#days.set(rows, today);
      } catch (error) {
        // If the database fails, the next round is early enough.
        this.#log.warn(`Old rows could not be deleted: ${reasonOf(error)}`);
      }
    }
  }
}

const reasonOf = (error: unknown) => String((error as Error).cause ?? error);
