import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Cron, CronExpression } from '@nestjs/schedule';
import { Clock } from '../../../kernel/clock.js';
import { Leases, minuteOf } from './leases.js';

const PURGE_LEASE_MS = 30_000;

/** Rows that are kept for a limited time, which an index contains. A module adds its own rows by listing the class among its providers. */
export abstract class OldRows {
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

  /** A large backlog may take longer than a minute. The minutes in between are skipped. */
  @Cron(CronExpression.EVERY_MINUTE)
  run(): Promise<void> {
    const once = minuteOf(this.clock.now());
    return this.leases.run('purge', PURGE_LEASE_MS, (signal) => this.#purge(signal), { once });
  }

  async #purge(signal: AbortSignal): Promise<void> {
    const reasons: string[] = [];
    for (const { instance } of this.discovery.getProviders()) {
      const rows = instance as unknown;
      if (!(rows instanceof OldRows)) continue;
      signal.throwIfAborted();
      // A failure does not keep other rows from being purged.
      await rows.purge().catch((error: Error) => reasons.push(String(error.cause ?? error)));
    }
    if (reasons.length > 0) throw new Error(`Old rows could not be deleted: ${reasons.join('; ')}`);
  }
}
