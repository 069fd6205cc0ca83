import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Clock } from '../../../kernel/index.js';
import { Leases, minuteOf } from '../../../platform/database/index.js';
import { Reminders } from '../../application/reminders.js';

const NAME = 'vaccinations.reminders';

/** Sends reminders every morning, on one replica. If a run is interrupted, the next run sends the rest. */
@Injectable()
export class ReminderJob {
  constructor(
    private readonly reminders: Reminders,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  @Cron('0 6 * * *', { name: NAME, timeZone: 'UTC' })
  remind(): Promise<void> {
    const once = minuteOf(this.clock.now());
    return this.leases.run(NAME, 60_000, (signal) => this.#remindAll(signal), { once });
  }

  async #remindAll(signal: AbortSignal): Promise<void> {
    while (await this.reminders.remindSome(100)) signal.throwIfAborted();
  }
}
