import { SqlMigration } from './sql-migration.js';

/** A table that version 1.1 writes. Nothing reads it since; it can be dropped once no version that writes it serves the same database. */
export class CreateReplicas extends SqlMigration {
  readonly name = 'CreateReplicas1795359600000';

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS replicas (
         id TEXT NOT NULL PRIMARY KEY,
         place TEXT NOT NULL,
         newest_migration TEXT NOT NULL,
         seen_at INTEGER NOT NULL
       ) STRICT`,
      'CREATE INDEX IF NOT EXISTS replicas_by_seen_at ON replicas (seen_at)',
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS replicas (
         id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
         place VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         newest_migration VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         seen_at BIGINT NOT NULL,
         INDEX replicas_by_seen_at (seen_at)
       ) ENGINE = InnoDB`,
    ],
  };

  protected readonly backwards = {
    sqlite: ['DROP TABLE replicas'],
    mysql: ['DROP TABLE IF EXISTS replicas'],
  };
}
