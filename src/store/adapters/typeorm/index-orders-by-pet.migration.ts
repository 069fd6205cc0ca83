import { SqlMigration } from '../../../platform/database/index.js';

/** Adds indexes for lists of the orders of a pet, with one status or all. */
export class IndexOrdersByPet extends SqlMigration {
  readonly name = 'IndexOrdersByPet1795807800000';

  protected readonly forwards = {
    sqlite: [
      'CREATE INDEX IF NOT EXISTS orders_by_pet ON orders (pet_id, id)',
      'CREATE INDEX IF NOT EXISTS orders_by_pet_and_status ON orders (pet_id, status, id)',
    ],
    mysql: [
      'CREATE INDEX orders_by_pet ON orders (pet_id, id)',
      'CREATE INDEX orders_by_pet_and_status ON orders (pet_id, status, id)',
    ],
  };

  protected readonly backwards = {
    sqlite: ['DROP INDEX IF EXISTS orders_by_pet', 'DROP INDEX IF EXISTS orders_by_pet_and_status'],
    mysql: ['DROP INDEX orders_by_pet ON orders', 'DROP INDEX orders_by_pet_and_status ON orders'],
  };
}
