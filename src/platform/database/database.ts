import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { describeDatabase } from '../config/database-url.js';
import { Settings } from '../config/settings.js';
import { JoiningDataSource } from './units/data-source.js';
import { DatabaseClock } from './database-clock.js';
import { codeOf, listedClassOf } from './error-table.js';
import {
  DatabaseUnavailable,
  DatabaseUnusable,
  reasonOf,
  StatementFailed,
  translateError,
} from './errors.js';
import { backOff, singleFlight } from './units/retries.js';
import { Migrator } from './migrations/migrator.js';
import { DatabaseFile } from './sqlite/database-file.js';

/** Why the database cannot be used yet. The codes are for programs. */
const REASONS = {
  database_unavailable: 'cannot be reached',
  database_busy: 'is busy',
  migrations_missing: 'cannot be used yet: migrations are missing: petstore db migrate',
};

interface ReadinessReason {
  readonly code: keyof typeof REASONS;
  readonly message: string;
}

interface OpenOptions {
  /** Whether to retry until the server answers: right for a service, but not for a person at a terminal. */
  readonly waitForServer: boolean;
}

/** The delays between two tries to open the database, in ms. */
const RETRY_DELAY = { min: 100, max: 1_000 };
const PROBE_TIMEOUT_MS = 1_000;

const CHECK = 'Check that it runs, and check DATABASE_URL.';

/** Opens the database. It waits for problems that can pass without an operator, such as a server that does not answer yet. */
@Injectable()
export class Database implements OnApplicationShutdown {
  /** The name for operators. It does not contain the password. */
  readonly name: string;
  readonly #log = new Logger('Database');
  #isClosing = false;
  #file: DatabaseFile | undefined;
  #waitingFor: ReadinessReason | undefined;

  constructor(
    private readonly source: JoiningDataSource,
    private readonly migrator: Migrator,
    private readonly settings: Settings,
    private readonly clock: DatabaseClock,
  ) {
    this.name = describeDatabase(settings.database);
  }

  /** What `open` is waiting for at the moment. */
  get waitingFor(): ReadinessReason | undefined {
    return this.#waitingFor;
  }

  /** Why the database accepts no writes although it can be read. Undefined if the last change succeeded. */
  get refusedChange(): string | undefined {
    return this.source.refusedChange;
  }

  /** Connects, so that statements can run. @throws DatabaseUnusable if waiting would not help */
  async connect(options: OpenOptions): Promise<void> {
    this.#file ??= DatabaseFile.open(this.settings.database);
    await this.#until('database_unavailable', options, async () => {
      if (!this.source.isInitialized) await this.source.initialize();
      return true;
    });
  }

  /** Connects, then migrates if the settings allow it, or else waits until another process has migrated. */
  async open(options: OpenOptions): Promise<void> {
    await this.connect(options);
    if (options.waitForServer) {
      this.source.waitWithoutBlocking();
      this.#file?.watch((problem) => this.#fileChanged(problem));
    }
    if (this.settings.migrateOnStart) {
      await this.#until('database_busy', options, async () => {
        for (const name of await this.migrator.migrate()) this.#log.log(`Applied migration ${name}`);
        return true;
      });
    }
    await this.#until('migrations_missing', options, () => this.migrator.isUpToDate());
    this.source.open();
    // The checks of the start report a wrong clock. A command has no such checks.
    const readClock = () => (options.waitForServer ? this.clock.read() : this.clock.follow());
    await this.#until('database_unavailable', options, () => readClock().then(() => true));
  }

  /**
   * Checks with one cheap statement that the database answers and has what this version needs. Concurrent probes share the
   * statement. @returns the missing migrations @throws DatabaseUnavailable, also if the answer takes too long
   */
  readonly probe = singleFlight(() => Promise.race([this.migrator.lacking(), this.#tooLate()]));

  async #tooLate(): Promise<never> {
    await sleep(PROBE_TIMEOUT_MS, undefined, { ref: false });
    throw new DatabaseUnavailable(new Error(`no answer within ${PROBE_TIMEOUT_MS} ms`), 'lost');
  }

  /** The connection itself is closed by `TypeOrmModule`. */
  onApplicationShutdown(): void {
    this.#isClosing = true;
    this.#file?.stopWatching();
  }

  /** Other processes do not find the file at its path, so rows in it are lost. The service acknowledges nothing until the file is back. */
  #fileChanged(problem: DatabaseUnusable | undefined): void {
    this.source.refusal = problem && new DatabaseUnavailable(new Error(problem.what), 'damaged');
    if (problem) this.#log.error(problem.message);
    else this.#log.warn(`${this.name} is back.`);
  }

  /** Repeats `step` until it returns true, and logs once what it waits for. */
  async #until(
    code: ReadinessReason['code'],
    { waitForServer }: OpenOptions,
    step: () => Promise<boolean>,
  ): Promise<void> {
    for (let tries = 1; ; tries++) {
      const done = await step().catch((error: unknown) => this.#mayHeal(error));
      if (done === true) return (this.#waitingFor = undefined);
      // If the database does not answer, missing migrations are not known to be the reason.
      const reason = done && code === 'migrations_missing' ? 'database_unavailable' : code;
      const cause = done && ` (${reasonOf(done)})`;
      const message = `${this.name} ${REASONS[reason]}${cause || ''}.`;
      const remedy = done && (done.remedy ?? CHECK);
      if (!waitForServer) throw remedy ? new DatabaseUnusable(message, remedy) : new Error(message);
      this.#waitingFor = { code: reason, message };
      // The service stops before it was ready: `open` never returns.
      if (this.#isClosing) return new Promise(() => {});
      if (tries === 1) this.#log.warn(`${message} Waiting.${remedy ? ` ${remedy}` : ''}`);
      await sleep(backOff(tries, RETRY_DELAY));
    }
  }

  /** The error, if it may pass without an operator. @throws DatabaseUnusable in the driver's own words */
  #mayHeal(error: unknown): DatabaseUnavailable {
    const translated = translateError(error);
    const isUnavailable = translated instanceof DatabaseUnavailable;
    // mysql2 calls some errors fatal that have no known code, such as a handshake that cannot succeed. Such an error does not pass.
    const isKnown = error instanceof DatabaseUnavailable || listedClassOf(error) !== undefined;
    if (isUnavailable && isKnown && !translated.needsOperator) return translated;
    const words = isUnavailable && isKnown ? reasonOf(translated) : (error as Error).message;
    const what = `${this.name} cannot be used: ${words.replace(/\.$/, '')}.`;
    const isOfStatement = translated instanceof StatementFailed || codeOf(error) === undefined;
    const remedy =
      isUnavailable || !isOfStatement ? CHECK : 'Look at the entity or the migration that this is about.';
    throw new DatabaseUnusable(what, (isUnavailable && translated.remedy) || remedy, { cause: error });
  }
}
