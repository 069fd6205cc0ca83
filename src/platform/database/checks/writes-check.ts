import { Injectable } from '@nestjs/common';
import type { EntityMetadata } from 'typeorm';
import { Check, type CheckResult, ok, problem } from '../../doctor/check.js';
import { JoiningDataSource } from '../data-source.js';
import { grant, missingPrivilege, quoted, whoAndWhere } from './grants.js';

interface Refusal {
  readonly table: string;
  /** INSERT, UPDATE or DELETE. */
  readonly act: string;
  /** The database's own message. */
  readonly reason: string;
}

/** Whether the user can change every table now. If not, existing data can still be read. */
@Injectable()
export class WritesCheck extends Check {
  readonly name = 'writes';
  readonly needs = 'tables';
  override readonly atStart = true;

  constructor(private readonly source: JoiningDataSource) {
    super();
  }

  override async run(): Promise<CheckResult[]> {
    const refusals: Refusal[] = [];
    // One after the other: a starting service must not use all its connections for this.
    const tables = this.source.entityMetadatas.filter(({ tableType }) => tableType !== 'view');
    for (const table of tables) refusals.push(...(await this.#refusals(table)));
    if (refusals.length === 0) return [ok('The database is writable.')];
    const denied = refusals.filter(({ reason }) => missingPrivilege(reason));
    const others = refusals.filter((refusal) => !denied.includes(refusal));
    return [...(await this.#missingGrants(denied)), ...this.#whyNot(others)];
  }

  /** Uses statements that change no row but are rejected wherever changes are; each runs alone and is not retried. */
  async #refusals({ tableName: table, columns }: EntityMetadata): Promise<Refusal[]> {
    const { escape } = this.source.driver;
    const written = columns.filter(
      ({ isVirtualProperty, generatedType }) => !isVirtualProperty && !generatedType,
    );
    const names = written.map(({ databaseName }) => escape(databaseName));
    const nothing = names.map(() => 'NULL').join(', ');
    const statements = [
      `INSERT INTO ${escape(table)} (${names.join(', ')}) SELECT ${nothing} FROM (SELECT 1) AS one WHERE 1 = 0`,
      `UPDATE ${escape(table)} SET ${names[0]} = NULL WHERE 1 = 0`,
      `DELETE FROM ${escape(table)} WHERE 1 = 0`,
    ];
    const refusals: Refusal[] = [];
    for (const statement of statements) {
      const reason = await this.source
        .runOnce((manager) => manager.query(statement))
        .then(
          () => undefined,
          (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
        );
      const act = statement.split(' ', 1)[0]!;
      if (reason !== undefined) refusals.push({ table, act, reason });
    }
    return refusals;
  }

  /** One result for each privilege, with the statements that grant it. */
  async #missingGrants(denied: readonly Refusal[]): Promise<CheckResult[]> {
    if (denied.length === 0) return [];
    const { account, database } = await whoAndWhere(this.source);
    return distinct(denied.map(({ act }) => act)).map((act) => {
      const tables = denied.flatMap((refusal) => (refusal.act === act ? refusal.table : []));
      const named = this.#named(tables);
      const where =
        named === 'any table' ? [`${database}.*`] : tables.map((table) => `${database}.${quoted(table)}`);
      const what = `The user of the database may not ${act} in ${named}.`;
      return problem(what, where.map((one) => grant([act], one, account)).join(' '));
    });
  }

  /** One result for each reason. */
  #whyNot(refusals: readonly Refusal[]): CheckResult[] {
    return distinct(refusals.map(({ reason }) => reason)).map((reason) => {
      const refused = refusals.filter((refusal) => refusal.reason === reason);
      const acts = distinct(refused.map(({ act }) => act)).join(', ');
      const tables = this.#named(distinct(refused.map(({ table }) => table)));
      return problem(`The database refuses ${acts} in ${tables}: ${reason}.`, remedyOf(reason));
    });
  }

  #named(tables: readonly string[]): string {
    return tables.length === this.source.entityMetadatas.length ? 'any table' : tables.join(', ');
  }
}

function remedyOf(reason: string): string {
  if (/read.?only/i.test(reason))
    return 'Make it writable (SET GLOBAL read_only = 0; for a file, its permissions), or use the primary in DATABASE_URL.';
  return 'See the error, and free some space if its disk is full. Reads still work.';
}

const distinct = (names: readonly string[]) => [...new Set(names)];
