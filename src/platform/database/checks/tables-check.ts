import { Injectable } from '@nestjs/common';
import type { EntityMetadata } from 'typeorm';
import { Check, type CheckResult, ok, problem } from '../../doctor/check.js';
import { JoiningDataSource } from '../data-source.js';
import { DatabaseUnavailable, StatementFailed } from '../errors.js';
import { grant, missingPrivilege, quoted, whoAndWhere } from './grants.js';

/**
 * Whether every table can be read, with every column of this version: nothing can be served otherwise. Its statements read no
 * rows, and work with all engines, proxies and roles.
 */
@Injectable()
export class TablesCheck extends Check {
  readonly name = 'tables';
  readonly needs = 'schema';

  constructor(private readonly source: JoiningDataSource) {
    super();
  }

  override async run(): Promise<CheckResult[]> {
    const wrong: CheckResult[] = [];
    for (const table of this.source.entityMetadatas) wrong.push(...(await this.#lookAt(table)));
    return wrong.length > 0 ? wrong : [ok('Every table can be read.')];
  }

  async #lookAt(table: EntityMetadata): Promise<CheckResult[]> {
    // Without columns that TypeORM computes while reading.
    const columns = table.columns.flatMap(({ isVirtualProperty, databaseName }) =>
      isVirtualProperty ? [] : databaseName,
    );
    const reason = await this.#refusal(table, columns);
    if (reason === undefined) return [];
    const name = table.tableName;
    if (missingPrivilege(reason)) {
      const { account, database } = await whoAndWhere(this.source);
      return [
        problem(
          `The user of the database may not SELECT from ${name}.`,
          grant(['SELECT'], `${database}.${quoted(name)}`, account),
        ),
      ];
    }
    const missing: string[] = [];
    for (const column of columns) if (await this.#refusal(table, [column])) missing.push(column);
    if (missing.length < columns.length)
      return [problem(`The table ${name} has no column ${missing.join(', ')}.`, RESTORE)];
    const isMissing = /NO_SUCH_TABLE|no such table/.test(reason);
    return [problem(`The table ${name} ${isMissing ? 'is missing' : `cannot be read: ${reason}`}.`, RESTORE)];
  }

  async #refusal({ tableName }: EntityMetadata, columns: readonly string[]): Promise<string | undefined> {
    const { escape } = this.source.driver;
    const list = columns.map((column) => escape(column)).join(', ');
    try {
      await this.source.query(`SELECT ${list} FROM ${escape(tableName)} WHERE 1 = 0`);
      return undefined;
    } catch (error) {
      if (error instanceof StatementFailed) return error.reason;
      if (error instanceof DatabaseUnavailable && error.needsOperator) return (error.cause as Error).message;
      throw error;
    }
  }
}

const RESTORE =
  'Restore it from the backup. If it is new, its module lacks a migration: npm run migration:generate.';
