import { SqlMigration } from '../../../platform/database/index.js';

/** The table with the progress of each imported file. */
export class CreateImports extends SqlMigration {
  readonly name = 'CreateImports1795178700000';

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS imports (
         contents TEXT NOT NULL PRIMARY KEY,
         name TEXT NOT NULL,
         last_line INTEGER NOT NULL,
         added INTEGER NOT NULL,
         refused INTEGER NOT NULL,
         begun_at INTEGER NOT NULL,
         changed_at INTEGER NOT NULL
       ) STRICT, WITHOUT ROWID`,
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS imports (
         contents CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
         name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         last_line BIGINT NOT NULL,
         added BIGINT NOT NULL,
         refused BIGINT NOT NULL,
         begun_at BIGINT NOT NULL,
         changed_at BIGINT NOT NULL
       ) ENGINE = InnoDB`,
    ],
  };

  protected readonly backwards = ['DROP TABLE imports'];
}
