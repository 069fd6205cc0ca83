import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { describeDatabase } from '../config/database-url.js';
import { Settings } from '../config/settings.js';
import { withTimeout } from '../process/timeout.js';
import { DatabaseUnavailable, translateError } from './database-errors.js';
import { JoiningDataSource } from './data-source.js';
import { Migrator } from './migrations/migrator.js';

/** Why the database cannot be used yet. The codes are for programs. */
const REASONS = {
  database_unavailable: 'cannot be reached',
  database_busy: 'is busy',
  migrations_missing: 'lacks migrations; run "petstore db migrate"',
};

export interface ReadinessReason {
  readonly code: keyof typeof REASONS;
  readonly message: string;
}

/** Waiting would not help: a file that is no database, a server that does not let the user in. */
export class DatabaseUnusable extends Error {}

interface OpenOptions {
  /** Whether to retry until the server answers: a service does, a person at a terminal wants to know at once. */
  readonly waitForServer: boolean;
}

const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 1_000;
const PROBE_TIMEOUT_MS = 1_000;

/** Opens the database. Waits for a server that does not answer yet, but not for a file that cannot be used. */
@Injectable()
export class Database implements OnApplicationShutdown {
  /** For operators, without the password. */
  readonly name: string;
  readonly #log = new Logger('Database');
  #isClosing = false;
  #waitingFor: ReadinessReason | undefined;
  #probe: Promise<void> | undefined;

  constructor(
    private readonly source: JoiningDataSource,
    private readonly migrator: Migrator,
    private readonly settings: Settings,
  ) {
    this.name = describeDatabase(settings.database);
  }

  /** What `open` is waiting for at the moment. */
  get waitingFor(): ReadinessReason | undefined {
    return this.#waitingFor;
  }

  /** Why the database takes no changes while it can be read; undefined if the latest change was taken. */
  get refusedChange(): string | undefined {
    return this.source.retries.refusedChange;
  }

  /** Connects; on return statements can run. @throws Error naming the file or the server if waiting would not help */
  async connect(options: OpenOptions): Promise<void> {
    await this.#until('database_unavailable', options, async () => {
      if (!this.source.isInitialized) await this.source.initialize();
      return true;
    });
  }

  /** Connects, then migrates if the settings say so, else waits until another process has. */
  async open(options: OpenOptions): Promise<void> {
    await this.connect(options);
    if (this.settings.migrateOnStart) {
      await this.#until('database_busy', options, async () => {
        for (const name of await this.migrator.migrate()) this.#log.log(`Applied migration ${name}`);
        return true;
      });
    }
    await this.#until('migrations_missing', options, () => this.migrator.isUpToDate());
    this.source.open();
  }

  /**
   * Runs the cheapest statement. Concurrent probes share it, so that they do not add to the load.
   * @throws DatabaseUnavailable, also when the answer takes too long
   */
  probe(): Promise<void> {
    this.#probe ??= this.#ask().finally(() => (this.#probe = undefined));
    return this.#probe;
  }

  async #ask(): Promise<void> {
    await withTimeout(this.source.query('SELECT 1'), PROBE_TIMEOUT_MS, () => {
      throw new DatabaseUnavailable(new Error(`no answer within ${PROBE_TIMEOUT_MS} ms`), 'lost');
    });
  }

  /** `TypeOrmModule` closes it. */
  onApplicationShutdown(): void {
    this.#isClosing = true;
  }

  /** Repeats `step` until it returns true; logs once why it waits. */
  async #until(
    code: ReadinessReason['code'],
    { waitForServer }: OpenOptions,
    step: () => Promise<boolean>,
  ): Promise<void> {
    for (let wait = MIN_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      const done = await step().catch((error: unknown) => this.#reasonToWait(error));
      if (done === true) return (this.#waitingFor = undefined);
      const message = `${this.name} ${REASONS[code]}${done ? ` (${done})` : ''}.`;
      if (!waitForServer) throw new Error(message);
      this.#waitingFor = { code, message };
      // The service stops before it was ever ready: `open` never returns.
      if (this.#isClosing) return new Promise(() => {});
      if (wait === MIN_WAIT_MS) this.#log.warn(`${message} Waiting.`);
      await sleep(wait);
    }
  }

  /** The driver's message, if the database is unavailable. @throws Error where waiting would not help */
  #reasonToWait(error: unknown): string {
    const translated = translateError(error);
    const isUnavailable = translated instanceof DatabaseUnavailable;
    const { message: reason } = (isUnavailable ? translated.cause : translated) as Error;
    if (isUnavailable && !translated.needsOperator) return reason;
    throw new DatabaseUnusable(`${this.name} cannot be used: ${reason}`, { cause: error });
  }
}
