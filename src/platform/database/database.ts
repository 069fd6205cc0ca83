import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { describeDatabase } from '../config/database-url.js';
import { Settings } from '../config/settings.js';
import { translateError, DatabaseUnavailable } from './database-errors.js';
import { JoiningDataSource } from './data-source.js';
import { Migrator } from './migrations/migrator.js';

interface OpenOptions {
  /** Whether to retry until the server answers: a service does, a person at a terminal wants to know at once. */
  readonly waitForServer: boolean;
}

/** Why the database cannot be used yet. The codes are for programs. */
export interface ReadinessReason {
  readonly code: 'database_unavailable' | 'database_busy' | 'migrations_missing';
  readonly message: string;
}

const WORDS: Record<ReadinessReason['code'], string> = {
  database_unavailable: 'cannot be reached',
  database_busy: 'is busy',
  migrations_missing: 'lacks migrations; run "petstore db migrate"',
};

const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 1_000;

/** Opens the database and closes it. A server that is not there yet is waited for; a file that cannot be used is not. */
@Injectable()
export class Database implements OnApplicationShutdown {
  readonly #log = new Logger('Database');
  #closing = false;
  #waitingFor: ReadinessReason | undefined;

  constructor(
    private readonly source: JoiningDataSource,
    private readonly migrator: Migrator,
    private readonly settings: Settings,
  ) {}

  /** In words fit for operators. */
  get name(): string {
    return describeDatabase(this.settings.database);
  }

  /** What `open` is waiting for at the moment. */
  get waitingFor(): ReadinessReason | undefined {
    return this.#waitingFor;
  }

  /** Connects; on return statements can run. @throws Error naming the file or the server if waiting would not help */
  async connect({ waitForServer }: OpenOptions): Promise<void> {
    await this.#until('database_unavailable', waitForServer, async () => {
      if (!this.source.isInitialized) await this.source.initialize();
      return true;
    });
  }

  /** Connects and sees to the schema: by migrating if the settings say so, else by waiting until somebody else has. */
  async open({ waitForServer }: OpenOptions): Promise<void> {
    await this.connect({ waitForServer });
    if (this.settings.migrateOnStart) {
      await this.#until('database_busy', waitForServer, async () => {
        for (const name of await this.migrator.migrate()) this.#log.log(`Applied migration ${name}`);
        return true;
      });
    }
    await this.#until('migrations_missing', waitForServer, () => this.migrator.isUpToDate());
    this.source.open();
  }

  /** `TypeOrmModule` closes it. */
  onApplicationShutdown(): void {
    this.#closing = true;
  }

  /** Repeats `step` until it returns true; logs once why it waits. */
  async #until(
    code: ReadinessReason['code'],
    waitForServer: boolean,
    step: () => Promise<boolean>,
  ): Promise<void> {
    let wait = MIN_WAIT_MS;
    for (;;) {
      const done = await step().catch((error: unknown) => this.#reasonToWait(error));
      if (done === true) return (this.#waitingFor = undefined);
      const message = `${this.name} ${WORDS[code]}${done ? ` (${done})` : ''}.`;
      if (!waitForServer) throw new Error(message);
      this.#waitingFor = { code, message };
      // The service stops before it was ever ready: `open` never returns.
      if (this.#closing) return new Promise(() => {});
      if (wait === MIN_WAIT_MS) this.#log.warn(`${message} Waiting.`);
      await sleep(wait);
      wait = Math.min(wait * 2, MAX_WAIT_MS);
    }
  }

  /** What the driver calls an outage. @throws Error where waiting would not help */
  #reasonToWait(error: unknown): string {
    const meaning = translateError(error);
    if (meaning instanceof DatabaseUnavailable) return (meaning.cause as Error).message;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${this.name} cannot be used: ${reason}`, {
      cause: error,
    });
  }
}
