import { SqlMigration } from '../database/migrations/sql-migration.js';

/** The table of scheduled jobs: when each is due, which replica runs it, and the results. */
export class CreateJobs extends SqlMigration {
  readonly name = 'CreateJobs1795316400000';

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS jobs (
         name TEXT NOT NULL PRIMARY KEY,
         due_at INTEGER NOT NULL,
         lease INTEGER NOT NULL,
         lapses_at INTEGER NOT NULL,
         begun_at INTEGER,
         ended_at INTEGER,
         duration INTEGER,
         failures INTEGER NOT NULL,
         failed_at INTEGER,
         problem TEXT
       ) STRICT`,
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS jobs (
         name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
         due_at BIGINT NOT NULL,
         lease BIGINT NOT NULL,
         lapses_at BIGINT NOT NULL,
         begun_at BIGINT,
         ended_at BIGINT,
         duration BIGINT,
         failures INT NOT NULL,
         failed_at BIGINT,
         problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
       ) ENGINE = InnoDB`,
    ],
  };

  protected readonly backwards = {
    sqlite: ['DROP TABLE jobs'],
    mysql: ['DROP TABLE IF EXISTS jobs'],
  };
}
