import { SqlMigration } from '../../database/migrations/sql-migration.js';

/** The responses that are stored for requests with an `Idempotency-Key`. Times are milliseconds since 1970. */
export class CreateStoredAnswers extends SqlMigration {
  readonly name = 'CreateStoredAnswers1795132803000';

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS stored_answers (
         caller TEXT NOT NULL,
         operation TEXT NOT NULL,
         idempotency_key TEXT NOT NULL,
         body_hash TEXT NOT NULL,
         answer TEXT NOT NULL,
         expires_at INTEGER NOT NULL,
         PRIMARY KEY (caller, operation, idempotency_key)
       ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX IF NOT EXISTS stored_answers_by_expiry ON stored_answers (expires_at)',
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS stored_answers (
         caller VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         operation VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         idempotency_key VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         body_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         answer MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         expires_at BIGINT NOT NULL,
         PRIMARY KEY (caller, operation, idempotency_key),
         INDEX stored_answers_by_expiry (expires_at)
       ) ENGINE = InnoDB`,
    ],
  };

  protected readonly backwards = ['DROP TABLE stored_answers'];
}
