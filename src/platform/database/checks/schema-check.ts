import { Injectable } from '@nestjs/common';
import { Check, ok, problem } from '../../doctor/check.js';
import { JoiningDataSource } from '../data-source.js';
import { Migrator } from '../migrations/migrator.js';
import { differenceOf } from '../migrations/schema-difference.js';

/** Whether the database has every table of this version, unchanged. */
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

  override async look() {
    const missing = (await this.migrator.status()).filter(({ applied }) => !applied);
    if (missing.length > 0) {
      const what = `Migrations are missing: ${missing.map(({ name }) => name).join(', ')}.`;
      return [problem(what, 'petstore db migrate')];
    }
    const { forwards } = await differenceOf(this.source);
    if (forwards.length === 0) return [ok('Every migration is applied.')];
    const what = 'The tables differ from what this version expects.';
    return [problem(what, 'See what differs: petstore db diff')];
  }
}
