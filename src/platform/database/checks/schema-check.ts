import { Injectable } from '@nestjs/common';
import { Check, ok, problem } from '../../doctor/check.js';
import { JoiningDataSource } from '../data-source.js';
import { Migrator } from '../migrations/migrator.js';
import { grant, MIGRATING, missingForAll, missingPrivilege, whoAndWhere } from './grants.js';

/** Whether the database has every migration of this version. */
@Injectable()
export class SchemaCheck extends Check {
  readonly name = 'schema';
  readonly needs = 'database';

  constructor(
    private readonly source: JoiningDataSource,
    private readonly migrator: Migrator,
  ) {
    super();
  }

  override async run() {
    const states = await this.migrator.status().catch((error: Error) => this.#deniedBy(error));
    if ('what' in states) return [states];
    const missing = states.filter(({ applied }) => !applied);
    if (missing.length > 0) {
      const what = `Migrations are missing: ${missing.map(({ name }) => name).join(', ')}.`;
      return [problem(what, 'petstore db migrate'), ...(await this.#grants())];
    }
    return [ok('Every migration is applied.')];
  }

  /** @throws `error` unless it means that the user may not read which migrations are applied */
  async #deniedBy(error: Error) {
    if (!(error.cause instanceof Error && missingPrivilege(error.cause.message))) throw error;
    const { account, database } = await whoAndWhere(this.source);
    const what = 'The user of the database may not read which migrations are applied.';
    return problem(what, grant(['SELECT'], `${database}.migrations`, account));
  }

  /** Whether the user may migrate; checked only if a migration is missing. */
  async #grants() {
    if (this.source.options.type !== 'mysql') return [];
    const missing = await missingForAll(this.source, MIGRATING);
    if (missing.length === 0) return [];
    const { account, database } = await whoAndWhere(this.source);
    const what = `The user of the database may not migrate, for it lacks ${missing.join(', ')}.`;
    return [problem(what, grant(missing, `${database}.*`, account))];
  }
}
