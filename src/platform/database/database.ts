import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { describeDatabase } from '../config/database-url.js';
import { Settings } from '../config/settings.js';
import { connectionRemedy } from './checks/connection-remedy.js';
import { withTimeout } from '../process/timeout.js';
import { DatabaseUnavailable, isFull, StatementFailed, translateError } from './database-errors.js';
import { codeOf } from './error-classes.js';
import { JoiningDataSource } from './data-source.js';
import { Migrator } from './migrations/migrator.js';
import { giveUpReserve } from './sqlite/reserve.js';

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

/** The database cannot be opened: the file is not a database, the server rejects the user, or nobody waits for the server. */
export class DatabaseUnusable extends Error {
  constructor(
    readonly what: string,
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(`${what} ${remedy}`, options);
  }
}

interface OpenOptions {
  /** Whether to retry until the server answers: right for a service, but not for a person at a terminal. */
  readonly waitForServer: boolean;
}

const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 1_000;
const PROBE_TIMEOUT_MS = 1_000;

/** Opens the database. Waits for a server that does not answer yet, but not for an unusable file. */
@Injectable()
export class Database implements OnApplicationShutdown {
  /** For operators, without the password. */
  readonly name: string;
  readonly #log = new Logger('Database');
  #isClosing = false;
  #waitingFor: ReadinessReason | undefined;
  #probe: Promise<string[]> | undefined;

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

  /** Why the database accepts no writes although it can be read; undefined if the last change succeeded. */
  get refusedChange(): string | undefined {
    return this.source.retries.refusedChange;
  }

  /** Connects, so that statements can run. @throws Error naming the file or the server if waiting would not help */
  async connect(options: OpenOptions): Promise<void> {
    await this.#until('database_unavailable', options, async () => {
      if (!this.source.isInitialized) await this.source.initialize();
      return true;
    });
  }

  /** Connects, then migrates if the settings allow it, or else waits until another process has migrated. */
  async open(options: OpenOptions): Promise<void> {
    await this.connect(options);
    if (this.settings.migrateOnStart) {
      await this.#until('database_busy', options, async () => {
        // A read-only database can be served if it lacks no migration.
        if (await this.migrator.isUpToDate()) return true;
        for (const name of await this.migrator.migrate()) this.#log.log(`Applied migration ${name}`);
        return true;
      });
    }
    await this.#until('migrations_missing', options, () => this.migrator.isUpToDate());
    this.source.open();
  }

  /** Runs urgent work. If the disk is full, SQLite gets the reserved space for it. */
  async urgently<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isFull(error)) throw error;
      // In a transaction, so that no other writer takes the space.
      return this.source.inTransaction(() => {
        if (!giveUpReserve(this.settings.database)) throw error;
        return work();
      });
    }
  }

  /**
   * Checks with one cheap statement that the database answers and has what this version needs. Concurrent probes share the
   * statement. @returns the missing migrations @throws DatabaseUnavailable, also if the answer takes too long
   */
  probe(): Promise<string[]> {
    this.#probe ??= this.#ask().finally(() => (this.#probe = undefined));
    return this.#probe;
  }

  #ask(): Promise<string[]> {
    return withTimeout(this.migrator.lacking(), PROBE_TIMEOUT_MS, () => {
      throw new DatabaseUnavailable(new Error(`no answer within ${PROBE_TIMEOUT_MS} ms`), 'lost');
    });
  }

  /** The connection itself is closed by `TypeOrmModule`. */
  onApplicationShutdown(): void {
    this.#isClosing = true;
  }

  /** Repeats `step` until it returns true; logs once what it waits for. */
  async #until(
    code: ReadinessReason['code'],
    { waitForServer }: OpenOptions,
    step: () => Promise<boolean>,
  ): Promise<void> {
    for (let wait = MIN_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      const done = await step().catch((error: unknown) => this.#reasonToWait(error));
      if (done === true) return (this.#waitingFor = undefined);
      // If the database does not answer, missing migrations are not known to be the reason.
      const reason = done && code === 'migrations_missing' ? 'database_unavailable' : code;
      const message = `${this.name} ${REASONS[reason]}${done ? ` (${done})` : ''}.`;
      if (!waitForServer) throw this.#unusable(message, done);
      this.#waitingFor = { code: reason, message };
      // The service stops before it was ready: `open` never returns.
      if (this.#isClosing) return new Promise(() => {});
      if (wait === MIN_WAIT_MS) this.#log.warn(`${message} Waiting.${done ? ` ${this.#remedy(done)}` : ''}`);
      await sleep(wait);
    }
  }

  /** The driver's message, if the database is unavailable. @throws Error where waiting would not help */
  #reasonToWait(error: unknown): string {
    const translated = translateError(error);
    const isUnavailable = translated instanceof DatabaseUnavailable;
    const { message: reason } = (isUnavailable ? translated.cause : translated) as Error;
    if (isUnavailable && !translated.needsOperator) return reason;
    const what = `${this.name} cannot be used: ${reason.replace(/\.$/, '')}.`;
    const isOfDriver =
      isUnavailable || (codeOf(error) !== undefined && !(translated instanceof StatementFailed));
    if (isOfDriver) throw this.#unusable(what, reason, error);
    throw new DatabaseUnusable(what, 'Look at the entity or the migration that this is about.', {
      cause: error,
    });
  }

  #unusable(what: string, reason: string | false, cause?: unknown): Error {
    // If nothing has failed, the message itself says what to do.
    if (reason === false) return new Error(what);
    return new DatabaseUnusable(what, this.#remedy(reason), { cause });
  }

  #remedy(reason: string): string {
    return connectionRemedy(this.settings.database, reason);
  }
}
