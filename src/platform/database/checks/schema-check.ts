import { Check, ok, problem } from '../../doctor/check.js';
import { Injectable } from '@nestjs/common';
import { Migrator } from '../migrations/migrator.js';

/** Whether the database has every table of this version. */
@Injectable()
export class SchemaCheck extends Check {
  readonly name = 'schema';
  readonly needs = 'database';

  constructor(private readonly migrator: Migrator) {
    super();
  }

  override async look() {
    const missing = (await this.migrator.status()).filter(({ applied }) => !applied);
    if (missing.length === 0) return [ok('Every migration is applied.')];
    const what = `Migrations are missing: ${missing.map(({ name }) => name).join(', ')}.`;
    return [problem(what, 'petstore db migrate')];
  }
}
