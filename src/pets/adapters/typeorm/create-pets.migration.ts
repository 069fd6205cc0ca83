import { SqlMigration } from '../../../platform/database/index.js';

/** The table of pets. The index serves lists by status, newest first. */
export class CreatePets extends SqlMigration {
  readonly name = 'CreatePets1795132801000';
  protected override readonly sequences = ['pets'];

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS pets (
         id INTEGER NOT NULL PRIMARY KEY,
         name TEXT NOT NULL,
         category_id INTEGER NOT NULL,
         status TEXT NOT NULL
       ) STRICT`,
      'CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status, id)',
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS pets (
         id BIGINT NOT NULL PRIMARY KEY,
         name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         category_id BIGINT NOT NULL,
         status VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         INDEX pets_by_status (status, id)
       ) ENGINE = InnoDB`,
    ],
  };

  protected readonly backwards = ['DROP TABLE pets'];
}
