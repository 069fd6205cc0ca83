import { Check, ok, problem } from '../../doctor/check.js';
import { Injectable } from '@nestjs/common';
import { SchemaDifference } from '../migrations/schema-difference.js';
import { Migrator } from '../migrations/migrator.js';

/** Whether the database has every table of this version. */
@Injectable()
export class SchemaCheck extends Check {
  readonly name = 'schema';
  readonly needs = 'database';

  constructor(
    private readonly migrator: Migrator,
    private readonly difference: SchemaDifference,
  ) {
    super();
  }

  override async look() {
    const missing = (await this.migrator.status()).filter(({ applied }) => !applied);
    if (missing.length === 0) return this.#compare();
    const what = `Migrations are missing: ${missing.map(({ name }) => name).join(', ')}.`;
    return [problem(what, 'petstore db migrate')];
  }

  /** Somebody may have changed a table by hand. */
  async #compare() {
    const { forwards } = await this.difference.find();
    if (forwards.length === 0) return [ok('Every migration is applied.')];
    return [
      problem('The tables differ from what this version expects.', 'See what differs: petstore db diff'),
    ];
  }
}
