import { SqlMigration } from './sql-migration.js';

export const CREATE_LEASES = {
  sqlite: `CREATE TABLE IF NOT EXISTS leases (
    name TEXT NOT NULL PRIMARY KEY,
    holder TEXT,
    held_until INTEGER NOT NULL,
    last INTEGER,
    begun_at INTEGER,
    ended_at INTEGER,
    problem TEXT
  ) STRICT`,
  mysql: `CREATE TABLE IF NOT EXISTS leases (
    name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    holder VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
    held_until BIGINT NOT NULL,
    last BIGINT,
    begun_at BIGINT,
    ended_at BIGINT,
    problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  ) ENGINE = InnoDB`,
};

/** The table of leases. The first process that migrates has created it already, because migrations run under a lease. */
export class CreateLeases extends SqlMigration {
  readonly name = 'CreateLeases1795600800000';

  protected readonly forwards = { sqlite: [CREATE_LEASES.sqlite], mysql: [CREATE_LEASES.mysql] };

  /** The table stays, because a migration is reverted under a lease. */
  protected readonly backwards = [];
}
