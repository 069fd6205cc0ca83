import { SqlMigration } from '../database/migrations/sql-migration.js';

/** The table of events that wait for delivery. */
export class CreateOutbox extends SqlMigration {
  readonly name = 'CreateOutbox1795132805000';
  protected override readonly sequences = ['outbox'];

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS outbox (
         id INTEGER NOT NULL PRIMARY KEY,
         subscriber TEXT NOT NULL,
         thing TEXT NOT NULL,
         position INTEGER NOT NULL,
         kind TEXT NOT NULL,
         facts TEXT NOT NULL,
         recorded_at INTEGER NOT NULL,
         next_try_at INTEGER NOT NULL,
         failures INTEGER NOT NULL,
         problem TEXT
       ) STRICT`,
      'CREATE UNIQUE INDEX IF NOT EXISTS outbox_in_order ON outbox (subscriber, thing, position)',
      'CREATE INDEX IF NOT EXISTS outbox_by_time ON outbox (next_try_at)',
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS outbox (
         id BIGINT NOT NULL PRIMARY KEY,
         subscriber VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         thing VARCHAR(96) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         position BIGINT NOT NULL,
         kind VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         facts TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         recorded_at BIGINT NOT NULL,
         next_try_at BIGINT NOT NULL,
         failures INT NOT NULL,
         problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
         UNIQUE INDEX outbox_in_order (subscriber, thing, position),
         INDEX outbox_by_time (next_try_at)
       ) ENGINE = InnoDB`,
    ],
  };

  protected readonly backwards = ['DROP TABLE outbox'];
}
