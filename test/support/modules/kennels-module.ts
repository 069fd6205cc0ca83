import { Injectable, Module } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Command } from 'commander';
import { Clock, Events, EventType, type Int64 } from '../../../src/kernel/index.js';
import { PetAdded } from '../../../src/pets/index.js';
import { type CommandContext, Commands } from '../../../src/platform/ops/index.js';
import { moduleSettings, SettingsModule, wholeNumber } from '../../../src/platform/config/index.js';
import { Leases, minuteOf } from '../../../src/platform/database/index.js';
import { Metrics } from '../../../src/platform/observability/index.js';

// A module with one of each thing that a module can contribute besides routes and tables. It edits no other file.

class KennelSettings extends moduleSettings({
  places: [
    'KENNELS_PLACES',
    wholeNumber(1, 1_000)({ default: 20, desc: 'How many places there are, 1 to 1000.' }),
  ],
}) {}

const KennelFull = new EventType<{ id: Int64; at: Date; note?: string }>('kennel', 'KennelFull');

@Injectable()
export class Kennels {
  taken = 0;
  swept = 0;
  readonly heard: object[] = [];
  readonly #counted: ReturnType<Metrics['counter']>;

  constructor(
    private readonly settings: KennelSettings,
    private readonly events: Events,
    metrics: Metrics,
  ) {
    this.#counted = metrics.counter('petstore_kennels_taken_total', 'Places that were taken.');
    metrics.gauge('petstore_kennels_free', 'Places that are free.', (gauge) => gauge.set(this.free));
  }

  /** @returns whether there is more to sweep */
  async sweepSome(limit: number): Promise<boolean> {
    this.swept = Math.min(this.swept + limit, this.settings.places);
    return this.swept < this.settings.places;
  }

  get free(): number {
    return this.settings.places - this.taken;
  }

  async take(id: Int64): Promise<void> {
    this.taken++;
    this.#counted.inc();
    if (this.free === 0) await this.events.record(KennelFull, async () => ({ id, at: new Date(0) }));
  }
}

@Injectable()
class SweepingJob {
  constructor(
    private readonly kennels: Kennels,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  @Cron('0 5 * * *', { name: 'kennels.sweeping', timeZone: 'UTC' })
  sweep() {
    const once = minuteOf(this.clock.now());
    return this.leases.run('kennels.sweeping', 60_000, (signal) => this.#sweepAll(signal), { once });
  }

  async #sweepAll(signal: AbortSignal) {
    while (await this.kennels.sweepSome(1)) signal.throwIfAborted();
  }
}

const kennelsCommand = ({ runWithDatabase, print }: CommandContext) =>
  new Command('kennels')
    .description('Shows the kennels.')
    .action(async () => print(await runWithDatabase(async (app) => `${app.get(Kennels).free} free`)));

@Commands(kennelsCommand)
@Module({
  imports: [SettingsModule.forFeature(KennelSettings)],
  providers: [Kennels, SweepingJob],
})
export class KennelsModule {
  constructor(events: Events, kennels: Kennels) {
    events.subscribe(PetAdded, 'kennels', ({ id }) => kennels.take(id));
    events.subscribe(KennelFull, 'kennels', async (payload) => void kennels.heard.push(payload));
  }
}
