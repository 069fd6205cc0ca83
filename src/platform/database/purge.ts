import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Cron, CronExpression } from '@nestjs/schedule';
import { Clock } from '../../kernel/clock.js';
import { Leases, minuteOf } from './leases.js';

const DAY_MS = 86_400_000;
const LEASE_MS = 30_000;

/** Rows that are kept for a limited time. A module adds its own by listing the class among its providers. */
export abstract class OldRows {
  /** How often to look for old rows: once a day if no index leads to them. */
  abstract readonly schedule: 'each minute' | 'once a day';
  /** Deletes old rows in batches. @returns the number of rows */
  abstract purge(): Promise<number>;
}

/** Deletes old rows, on one replica at a time. */
@Injectable()
export class Purge {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  /** A large backlog may take longer than a minute; the minutes in between are skipped. */
  @Cron(CronExpression.EVERY_MINUTE)
  async run(): Promise<void> {
    const minute = minuteOf(this.clock.now());
    await this.#purge('purge', 'each minute', minute);
    await this.#purge('purge.daily', 'once a day', minute - (minute % DAY_MS));
  }

  #purge(lease: string, schedule: OldRows['schedule'], once: number): Promise<void> {
    const work = async (signal: AbortSignal) => {
      const reasons: string[] = [];
      for (const { instance } of this.discovery.getProviders()) {
        const rows = instance as unknown;
        if (!(rows instanceof OldRows) || rows.schedule !== schedule) continue;
        signal.throwIfAborted();
        // The others are purged all the same.
        await rows.purge().catch((error: Error) => reasons.push(String(error.cause ?? error)));
      }
      if (reasons.length > 0) throw new Error(`Old rows could not be deleted: ${reasons.join('; ')}`);
    };
    return this.leases.run(lease, LEASE_MS, work, { once });
  }
}
