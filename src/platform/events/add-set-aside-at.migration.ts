import { SqlMigration } from '../database/migrations/sql-migration.js';

/** Adds when an event was set aside, and an index. The column is NULL for an event that waits, such as each event of version 2.0.0. */
export class AddSetAsideAt extends SqlMigration {
  readonly name = 'AddSetAsideAt1795978982000';

  protected readonly forwards = {
    sqlite: [
      'ALTER TABLE outbox ADD COLUMN set_aside_at INTEGER',
      'CREATE INDEX IF NOT EXISTS outbox_heads ON outbox (subscriber, thing, set_aside_at, position)',
    ],
    mysql: [
      'ALTER TABLE outbox ADD COLUMN set_aside_at BIGINT NULL',
      'CREATE INDEX outbox_heads ON outbox (subscriber, thing, set_aside_at, position)',
    ],
  };

  protected readonly backwards = {
    sqlite: ['DROP INDEX IF EXISTS outbox_heads', 'ALTER TABLE outbox DROP COLUMN set_aside_at'],
    mysql: ['DROP INDEX outbox_heads ON outbox', 'ALTER TABLE outbox DROP COLUMN set_aside_at'],
  };
}
