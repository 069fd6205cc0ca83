import { Injectable } from '@nestjs/common';
import { JoiningDataSource } from '../data-source.js';
import { MigrationLease } from './migration-lease.js';

/** One migration and whether this database has it. */
export interface MigrationState {
  readonly name: string;
  readonly applied: boolean;
}

/** Brings the schema forwards and back, one process at a time. */
@Injectable()
export class Migrator {
  constructor(
    private readonly source: JoiningDataSource,
    private readonly lease: MigrationLease,
  ) {}

  /** Applies what is missing, oldest first. @returns the names of what was applied */
  migrate(): Promise<string[]> {
    return this.#alone(async () => {
      const applied = await this.source.runMigrations({ transaction: 'each' });
      return applied.map(({ name }) => name);
    });
  }

  /** Takes back the newest applied migration. @returns its name, or undefined when none was applied */
  revert(): Promise<string | undefined> {
    return this.#alone(async () => {
      const newest = (await this.status()).findLast(({ applied }) => applied);
      if (newest) await this.source.undoLastMigration({ transaction: 'each' });
      return newest?.name;
    });
  }

  /** Every migration of this version of the service, oldest first. */
  async status(): Promise<MigrationState[]> {
    const applied = await this.#applied();
    return this.source.migrations
      .map((migration) => migration.name ?? migration.constructor.name)
      .sort((a, b) => writtenAt(a) - writtenAt(b))
      .map((name) => ({ name, applied: applied.has(name) }));
  }

  async isUpToDate(): Promise<boolean> {
    return (await this.status()).every(({ applied }) => applied);
  }

  #applied(): Promise<Set<string>> {
    return this.source.beforeOpen(async () => {
      const runner = this.source.createQueryRunner();
      try {
        if (!(await runner.hasTable('migrations'))) return new Set<string>();
        const rows = (await runner.query('SELECT name FROM migrations')) as { name: string }[];
        return new Set(rows.map(({ name }) => name));
      } finally {
        await runner.release();
      }
    });
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.source.beforeOpen(() => this.lease.hold(work));
  }
}

/** TypeORM's convention: the name of a migration ends in the milliseconds since 1970 at which it was written. */
const writtenAt = (name: string) => Number(name.slice(-13));
