import { SqlMigration } from '../../../platform/database/index.js';

/** The table of vaccinations. Instants are milliseconds since 1970. The indexes serve its lists. */
export class CreateVaccinations extends SqlMigration {
  readonly name = 'CreateVaccinations1795320989843';
  protected override readonly sequences = ['vaccinations'];

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS vaccinations (
         id INTEGER NOT NULL PRIMARY KEY,
         pet_id INTEGER NOT NULL,
         vaccine TEXT NOT NULL,
         given_at INTEGER NOT NULL,
         due_at INTEGER,
         state TEXT NOT NULL
       ) STRICT`,
      'CREATE INDEX IF NOT EXISTS vaccinations_by_due_at ON vaccinations (due_at)',
      'CREATE INDEX IF NOT EXISTS vaccinations_by_pet_id ON vaccinations (pet_id, id)',
      'CREATE INDEX IF NOT EXISTS vaccinations_by_pet_id_and_due_at ON vaccinations (pet_id, due_at)',
      'CREATE INDEX IF NOT EXISTS vaccinations_due_of_pet ON vaccinations (pet_id, state, due_at)',
      'CREATE INDEX IF NOT EXISTS vaccinations_by_state ON vaccinations (state, id)',
      'CREATE INDEX IF NOT EXISTS vaccinations_by_state_and_due_at ON vaccinations (state, due_at)',
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS vaccinations (
         id BIGINT NOT NULL PRIMARY KEY,
         pet_id BIGINT NOT NULL,
         vaccine VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         given_at BIGINT NOT NULL,
         due_at BIGINT,
         state VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         INDEX vaccinations_by_due_at (due_at),
         INDEX vaccinations_by_pet_id (pet_id, id),
         INDEX vaccinations_by_pet_id_and_due_at (pet_id, due_at),
         INDEX vaccinations_due_of_pet (pet_id, state, due_at),
         INDEX vaccinations_by_state (state, id),
         INDEX vaccinations_by_state_and_due_at (state, due_at)
       ) ENGINE = InnoDB`,
    ],
  };

  protected readonly backwards = ['DROP TABLE vaccinations'];
}
