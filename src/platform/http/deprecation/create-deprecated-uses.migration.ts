import { SqlMigration } from '../../database/migrations/sql-migration.js';

/** A table of version 1, which serves the same database during an upgrade; version 2 neither reads nor writes it. */
export class CreateDeprecatedUses extends SqlMigration {
  readonly name = 'CreateDeprecatedUses1795178701000';

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS deprecated_uses (
         operation TEXT NOT NULL,
         key_id TEXT NOT NULL,
         day TEXT NOT NULL,
         uses INTEGER NOT NULL,
         last_used_at INTEGER NOT NULL,
         PRIMARY KEY (operation, key_id, day)
       ) STRICT, WITHOUT ROWID`,
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS deprecated_uses (
         operation VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         key_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         day CHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         uses BIGINT NOT NULL,
         last_used_at BIGINT NOT NULL,
         PRIMARY KEY (operation, key_id, day)
       ) ENGINE = InnoDB`,
    ],
  };

  protected readonly backwards = {
    sqlite: ['DROP TABLE deprecated_uses'],
    mysql: ['DROP TABLE IF EXISTS deprecated_uses'],
  };
}
