import { SqlMigration } from '../../../platform/database/index.js';

/** The table of groomings. Instants are milliseconds since 1970. The indexes serve its lists: by each filter, in each order. */
export class CreateGroomings extends SqlMigration {
  readonly name = 'CreateGroomings1795691983680';
  protected override readonly sequences = ['groomings'];

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS groomings (
         id INTEGER NOT NULL PRIMARY KEY,
         groomer_id INTEGER NOT NULL,
         starts_at INTEGER NOT NULL,
         minutes INTEGER NOT NULL
       ) STRICT`,
      'CREATE INDEX IF NOT EXISTS groomings_by_groomer_id ON groomings (groomer_id, id)',
      'CREATE INDEX IF NOT EXISTS groomings_by_groomer_id_and_starts_at ON groomings (groomer_id, starts_at)',
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS groomings (
         id BIGINT NOT NULL PRIMARY KEY,
         groomer_id BIGINT NOT NULL,
         starts_at BIGINT NOT NULL,
         minutes INT NOT NULL,
         INDEX groomings_by_groomer_id (groomer_id, id),
         INDEX groomings_by_groomer_id_and_starts_at (groomer_id, starts_at)
       ) ENGINE = InnoDB`,
    ],
  };

  protected readonly backwards = {
    sqlite: ['DROP TABLE groomings'],
    mysql: ['DROP TABLE IF EXISTS groomings'],
  };
}
