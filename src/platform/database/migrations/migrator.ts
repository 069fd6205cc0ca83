import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { JoiningDataSource } from '../units/data-source.js';
import { isMissingTable } from '../errors.js';
import { Leases } from '../leases/leases.js';

const MIGRATION_LEASE_MS = 30_000;

interface MigrationState {
  readonly name: string;
  readonly applied: boolean;
  /** Whether this version of the service has it. */
  readonly known: boolean;
}

/** MySQL commits each statement that changes a table, so the statements before the failed one stay in effect. */
class HalfReverted extends Error {
  readonly code = 'half_reverted';

  constructor(name: string, cause: Error) {
    super(
      `${name} is taken back in part, or not at all: ${cause.message}. See to what it says, then run "petstore db revert" ` +
        'again: what is done already is skipped. The migration counts as applied until it is reverted completely.',
      { cause },
    );
  }
}

/** The newest migration is of another version of the service, which alone can revert it. */
class UnknownMigration extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'unknown_migration';
}

/** Another process migrated meanwhile. */
class SchemaChanged extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'schema_changed';
}

/** Migrates the schema forwards and back, one process at a time. */
@Injectable()
export class Migrator {
  constructor(
    private readonly source: JoiningDataSource,
    private readonly leases: Leases,
  ) {}

  /** Applies missing migrations, oldest first. @returns the names of those that were applied */
  async migrate(): Promise<string[]> {
    // Acquiring the lease writes, which fails on a database that is full or read-only.
    if (await this.isUpToDate()) return [];
    const applied = await this.#alone(() => this.source.runMigrations({ transaction: 'each' }));
    return applied?.map(({ name }) => name) ?? [];
  }

  /** The last applied migration. Undefined if no migration was applied. @throws UnknownMigration if this version does not know it */
  async newest(): Promise<string | undefined> {
    const name = (await this.source.beforeOpen(() => this.#applied())).at(-1);
    if (name === undefined || this.#names().includes(name)) return name;
    throw new UnknownMigration(
      `This version does not know ${name}, the newest migration: only a version of the service that has it can revert it.`,
    );
  }

  /**
   * Reverts this migration if it is still the newest one. After a failure MySQL keeps what earlier statements did, and a second try skips
   * these statements. @throws SchemaChanged
   */
  async revert(name: string): Promise<void> {
    await this.#alone(async () => {
      if ((await this.newest()) !== name)
        throw new SchemaChanged(`${name} is no longer the newest migration.`);
      await this.source.undoLastMigration({ transaction: 'each' }).catch((error: Error) => {
        throw this.source.options.type === 'mysql' ? new HalfReverted(name, error) : error;
      });
    });
  }

  /** Every migration of this version of the service, oldest first, then what other versions have applied. */
  async status(): Promise<MigrationState[]> {
    const applied = await this.source.beforeOpen(() => this.#applied());
    const names = this.#names();
    return [
      ...names.map((name) => ({ name, applied: applied.includes(name), known: true })),
      ...applied
        .filter((name) => !names.includes(name))
        .map((name) => ({ name, applied: true, known: false })),
    ];
  }

  async isUpToDate(): Promise<boolean> {
    return (await this.status()).every(({ applied }) => applied);
  }

  /** The missing migrations of an open database. It takes one cheap statement, because probes call it. */
  async lacking(): Promise<string[]> {
    const applied = new Set(await this.#applied());
    return this.#names().filter((name) => !applied.has(name));
  }

  /** Runs `work` in one process at a time. @returns undefined if the service stopped before its turn */
  #alone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    return this.source.beforeOpen(() =>
      this.leases.run('migrations', MIGRATION_LEASE_MS, () => this.#withoutForeignKeys(work)),
    );
  }

  /**
   * Switches the foreign keys of SQLite off around `work`. When TypeORM reverts a migration, it does so inside the transaction, where it has
   * no effect. After a failed migration TypeORM does not switch them on again.
   */
  async #withoutForeignKeys<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.source.options.type === 'mysql') return work();
    const runner = this.source.createQueryRunner();
    await runner.beforeMigration();
    try {
      return await work();
    } finally {
      await runner.afterMigration();
      await runner.release();
    }
  }

  /** The names in the order in which they were applied. TypeORM would first look for its table, which needs disk space on MariaDB. */
  async #applied(): Promise<string[]> {
    try {
      const rows = await this.source.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
      return rows.map(({ name }) => name);
    } catch (error) {
      if (isMissingTable(error)) return [];
      throw error;
    }
  }

  /** By TypeORM's convention the name of a migration ends in the time when it was written, in ms since 1970. */
  #names(): string[] {
    const names = this.source.migrations.map(({ name, constructor }) => name ?? constructor.name);
    const writtenAt = (name: string) => Number(name.slice(-13));
    return names.toSorted((one, other) => writtenAt(one) - writtenAt(other));
  }
}
