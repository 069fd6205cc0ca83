import { SqlMigration } from '../database/migrations/sql-migration.js';

/** Adds when an event was set aside. It is NULL for an event that waits, such as each event of version 2.0.0. */
export class AddSetAsideAt extends SqlMigration {
  readonly name = 'AddSetAsideAt1795978982000';

  protected readonly forwards = {
    sqlite: ['ALTER TABLE outbox ADD COLUMN set_aside_at INTEGER'],
    mysql: ['ALTER TABLE outbox ADD COLUMN set_aside_at BIGINT NULL'],
  };

  protected readonly backwards = ['ALTER TABLE outbox DROP COLUMN set_aside_at'];
}
