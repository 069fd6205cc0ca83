import { SqlMigration } from '../../../platform/database/sql-migration.js';

/** The table of API keys. Times are milliseconds since 1970; of a secret only its SHA-256 in hex is kept. */
export class CreateApiKeys extends SqlMigration {
  readonly name = 'CreateApiKeys1795132802000';

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS api_keys (
         id INTEGER NOT NULL PRIMARY KEY,
         name TEXT NOT NULL,
         secret_hash TEXT NOT NULL UNIQUE,
         created_at INTEGER NOT NULL,
         expires_at INTEGER,
         revoked_at INTEGER
       ) STRICT`,
      `INSERT OR IGNORE INTO sequences (name, next_id) VALUES ('api_keys', 1)`,
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS api_keys (
         id BIGINT NOT NULL PRIMARY KEY,
         name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         secret_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL UNIQUE,
         created_at BIGINT NOT NULL,
         expires_at BIGINT,
         revoked_at BIGINT
       ) ENGINE = InnoDB`,
      `INSERT IGNORE INTO sequences (name, next_id) VALUES ('api_keys', 1)`,
    ],
  };

  protected readonly backwards = {
    sqlite: ['DROP TABLE api_keys', `DELETE FROM sequences WHERE name = 'api_keys'`],
    mysql: ['DROP TABLE IF EXISTS api_keys', `DELETE FROM sequences WHERE name = 'api_keys'`],
  };
}
