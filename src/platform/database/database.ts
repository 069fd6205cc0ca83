import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { describeDatabase } from '../config/database-url.js';
import { Settings } from '../config/settings.js';
import { translated, DatabaseUnavailable } from './database-errors.js';
import { JoiningDataSource } from './data-source.js';
import { Migrator } from './migrations/migrator.js';

/** Whether to wait for a database that is not there yet: a service does, a person at a terminal wants to know. */
interface Patience {
  readonly patient: boolean;
}

/** What keeps the database from being used. The codes are for programs. */
export interface Obstacle {
  readonly code: 'database_unavailable' | 'database_busy' | 'migrations_missing';
  readonly message: string;
}

const WORDS: Record<Obstacle['code'], string> = {
  database_unavailable: 'cannot be reached',
  database_busy: 'is busy',
  migrations_missing: 'lacks migrations; run "petstore db migrate"',
};

const FIRST_WAIT = 100;
const LONGEST_WAIT = 1_000;

/** Opens the database and closes it. A server that is not there yet is waited for; a file that cannot be used is not. */
@Injectable()
export class Database implements OnApplicationShutdown {
  readonly #log = new Logger('Database');
  #closing = false;
  #waitsFor: Obstacle | undefined;

  constructor(
    private readonly source: JoiningDataSource,
    private readonly migrator: Migrator,
    private readonly settings: Settings,
  ) {}

  /** In words fit for operators. */
  get name(): string {
    return describeDatabase(this.settings.database);
  }

  /** What opening it is waiting for at the moment. */
  get waitsFor(): Obstacle | undefined {
    return this.#waitsFor;
  }

  /** Connects; on return statements can run. @throws Error naming the file or the server if waiting would not help */
  async connect({ patient }: Patience): Promise<void> {
    await this.#until('database_unavailable', patient, async () => {
      if (!this.source.isInitialized) await this.source.initialize();
      return true;
    });
  }

  /** Connects and sees to the schema: by migrating if the settings say so, else by waiting until somebody else has. */
  async open({ patient }: Patience): Promise<void> {
    await this.connect({ patient });
    if (this.settings.migrateOnStart) {
      await this.#until('database_busy', patient, async () => {
        for (const name of await this.migrator.migrate()) this.#log.log(`Applied migration ${name}`);
        return true;
      });
    }
    await this.#until('migrations_missing', patient, () => this.migrator.isUpToDate());
    this.source.open();
  }

  /** `TypeOrmModule` closes it. */
  onApplicationShutdown(): void {
    this.#closing = true;
  }

  /** Tries until `step` says yes; says once why it waits. */
  async #until(code: Obstacle['code'], patient: boolean, step: () => Promise<boolean>): Promise<void> {
    let wait = FIRST_WAIT;
    for (;;) {
      const done = await step().catch((error: unknown) => this.#reasonToWait(error));
      if (done === true) return (this.#waitsFor = undefined);
      const message = `${this.name} ${WORDS[code]}${done ? ` (${done})` : ''}.`;
      if (!patient) throw new Error(message);
      this.#waitsFor = { code, message };
      // The service stops before it ever was ready: whoever waits for the database waits in vain.
      if (this.#closing) return new Promise(() => {});
      if (wait === FIRST_WAIT) this.#log.warn(`${message} Waiting.`);
      await sleep(wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
  }

  /** What the driver calls an outage. @throws Error where waiting would not help */
  #reasonToWait(error: unknown): string {
    const meaning = translated(error);
    if (meaning instanceof DatabaseUnavailable) return (meaning.cause as Error).message;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${this.name} cannot be used: ${reason}`, {
      cause: error,
    });
  }
}
