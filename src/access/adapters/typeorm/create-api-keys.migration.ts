import { SqlMigration } from '../../../platform/database/index.js';

/**
 * The tables of API keys and of their events. Times are milliseconds since 1970. Only the SHA-256 of a secret is stored, in hex.
 * Scopes are separated by spaces, as in RFC 6750. A key without scopes or without a rate is not restricted by them.
 */
export class CreateApiKeys extends SqlMigration {
  readonly name = 'CreateApiKeys1795132802000';
  protected override readonly sequences = ['api_keys', 'api_key_events'];

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS api_keys (
         id INTEGER NOT NULL PRIMARY KEY,
         name TEXT NOT NULL,
         secret_hash TEXT NOT NULL UNIQUE,
         scopes TEXT,
         rate TEXT,
         created_at INTEGER NOT NULL,
         expires_at INTEGER,
         revoked_at INTEGER,
         rotated_at INTEGER,
         last_used_at INTEGER
       ) STRICT`,
      `CREATE TABLE IF NOT EXISTS api_key_events (
         id INTEGER NOT NULL PRIMARY KEY,
         key_id INTEGER NOT NULL,
         act TEXT NOT NULL,
         actor TEXT NOT NULL,
         at INTEGER NOT NULL
       ) STRICT`,
      'CREATE INDEX IF NOT EXISTS api_key_events_by_key ON api_key_events (key_id, id)',
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS api_keys (
         id BIGINT NOT NULL PRIMARY KEY,
         name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         secret_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL UNIQUE,
         scopes VARCHAR(1000) CHARACTER SET ascii COLLATE ascii_bin,
         rate VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin,
         created_at BIGINT NOT NULL,
         expires_at BIGINT,
         revoked_at BIGINT,
         rotated_at BIGINT,
         last_used_at BIGINT
       ) ENGINE = InnoDB`,
      `CREATE TABLE IF NOT EXISTS api_key_events (
         id BIGINT NOT NULL PRIMARY KEY,
         key_id BIGINT NOT NULL,
         act VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         actor VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         at BIGINT NOT NULL,
         INDEX api_key_events_by_key (key_id, id)
       ) ENGINE = InnoDB`,
    ],
  };

  protected readonly backwards = ['DROP TABLE api_key_events', 'DROP TABLE api_keys'];
}
