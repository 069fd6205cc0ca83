import { SqlMigration } from '../migrations/sql-migration.js';

/** The table of all sequences: `next_id` is the first id that is not reserved. */
export class CreateSequences extends SqlMigration {
  readonly name = 'CreateSequences1795132800000';

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS sequences (
         name TEXT NOT NULL PRIMARY KEY,
         next_id INTEGER NOT NULL
       ) STRICT, WITHOUT ROWID`,
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS sequences (
         name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
         next_id BIGINT NOT NULL
       ) ENGINE = InnoDB`,
    ],
  };

  protected readonly backwards = ['DROP TABLE sequences'];
}
