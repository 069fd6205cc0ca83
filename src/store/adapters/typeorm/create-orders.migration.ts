import { SqlMigration } from '../../../platform/database/index.js';

/** The table of orders. Times are milliseconds since 1970. The index serves lists by status, newest first. */
export class CreateOrders extends SqlMigration {
  readonly name = 'CreateOrders1795132804000';
  protected override readonly sequences = ['orders'];

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS orders (
         id INTEGER NOT NULL PRIMARY KEY,
         pet_id INTEGER NOT NULL,
         status TEXT NOT NULL,
         placed_at INTEGER NOT NULL
       ) STRICT`,
      'CREATE INDEX IF NOT EXISTS orders_by_status ON orders (status, id)',
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS orders (
         id BIGINT NOT NULL PRIMARY KEY,
         pet_id BIGINT NOT NULL,
         status VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         placed_at BIGINT NOT NULL,
         INDEX orders_by_status (status, id)
       ) ENGINE = InnoDB`,
    ],
  };

  protected readonly backwards = ['DROP TABLE orders'];
}
