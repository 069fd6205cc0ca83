import type { MigrationClass } from './migrations.decorator.js';
import { SqlMigration } from './sql-migration.js';

/** A table that version 1.1 writes, which may serve the same database during an upgrade. Nothing reads it; version 3 can drop it. */
const unread = (
  name: string,
  table: string,
  sqlite: { readonly columns: string; readonly options: string; readonly more?: readonly string[] },
  mysql: string,
): MigrationClass =>
  class extends SqlMigration {
    readonly name = name;

    protected readonly forwards = {
      sqlite: [
        `CREATE TABLE IF NOT EXISTS ${table} (${sqlite.columns}) ${sqlite.options}`,
        ...(sqlite.more ?? []),
      ],
      mysql: [`CREATE TABLE IF NOT EXISTS ${table} (${mysql}) ENGINE = InnoDB`],
    };

    protected readonly backwards = {
      sqlite: [`DROP TABLE ${table}`],
      mysql: [`DROP TABLE IF EXISTS ${table}`],
    };
  };

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin NOT NULL';
const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

export const CreateDeprecatedUses = unread(
  'CreateDeprecatedUses1795178701000',
  'deprecated_uses',
  {
    columns: `operation TEXT NOT NULL, key_id TEXT NOT NULL, day TEXT NOT NULL, uses INTEGER NOT NULL,
      last_used_at INTEGER NOT NULL, PRIMARY KEY (operation, key_id, day)`,
    options: 'STRICT, WITHOUT ROWID',
  },
  `operation VARCHAR(128) ${ASCII}, key_id VARCHAR(64) ${ASCII}, day CHAR(10) ${ASCII}, uses BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL, PRIMARY KEY (operation, key_id, day)`,
);

export const CreateJobs = unread(
  'CreateJobs1795316400000',
  'jobs',
  {
    columns: `name TEXT NOT NULL PRIMARY KEY, due_at INTEGER NOT NULL, lease INTEGER NOT NULL, lapses_at INTEGER NOT NULL,
      begun_at INTEGER, ended_at INTEGER, duration INTEGER, failures INTEGER NOT NULL, failed_at INTEGER, problem TEXT`,
    options: 'STRICT',
  },
  `name VARCHAR(64) ${ASCII} PRIMARY KEY, due_at BIGINT NOT NULL, lease BIGINT NOT NULL, lapses_at BIGINT NOT NULL,
    begun_at BIGINT, ended_at BIGINT, duration BIGINT, failures INT NOT NULL, failed_at BIGINT, problem VARCHAR(500) ${TEXT}`,
);

export const CreateReplicas = unread(
  'CreateReplicas1795359600000',
  'replicas',
  {
    columns:
      'id TEXT NOT NULL PRIMARY KEY, place TEXT NOT NULL, newest_migration TEXT NOT NULL, seen_at INTEGER NOT NULL',
    options: 'STRICT',
    more: ['CREATE INDEX IF NOT EXISTS replicas_by_seen_at ON replicas (seen_at)'],
  },
  `id VARCHAR(64) ${ASCII} PRIMARY KEY, place VARCHAR(255) ${TEXT} NOT NULL, newest_migration VARCHAR(255) ${TEXT} NOT NULL,
    seen_at BIGINT NOT NULL, INDEX replicas_by_seen_at (seen_at)`,
);
