import { SqlMigration } from '../../../platform/database/index.js';

/** Adds the time when a reminder of a vaccination was sent. The index finds due vaccinations without a reminder. */
export class AddReminders extends SqlMigration {
  readonly name = 'AddReminders1795346840092';

  protected readonly forwards = {
    sqlite: [
      'ALTER TABLE vaccinations ADD COLUMN reminded_at INTEGER',
      'CREATE INDEX vaccinations_to_remind ON vaccinations (state, reminded_at, due_at)',
    ],
    mysql: [
      'ALTER TABLE vaccinations ADD reminded_at BIGINT NULL',
      'CREATE INDEX vaccinations_to_remind ON vaccinations (state, reminded_at, due_at)',
    ],
  };

  protected readonly backwards = {
    sqlite: ['DROP INDEX vaccinations_to_remind', 'ALTER TABLE vaccinations DROP COLUMN reminded_at'],
    mysql: [
      'DROP INDEX vaccinations_to_remind ON vaccinations',
      'ALTER TABLE vaccinations DROP COLUMN reminded_at',
    ],
  };
}
