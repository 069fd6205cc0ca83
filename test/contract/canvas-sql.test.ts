import { afterAll, beforeAll, expect, it } from 'vitest';
import { OrderSchema } from '../../src/store/adapters/typeorm/order.schema.js';
import { TypeOrmOrderRepository } from '../../src/store/adapters/typeorm/typeorm-order-repository.js';
import { Order } from '../../src/store/domain/order.js';
import { StoreModule } from '../../src/store/index.js';
import { type JoiningDataSource, migrationsOfModule } from '../../src/platform/database/index.js';
import { PetSchema } from '../../src/pets/adapters/typeorm/pet.schema.js';
import { TypeOrmPetRepository } from '../../src/pets/adapters/typeorm/typeorm-pet-repository.js';
import { Pet } from '../../src/pets/domain/pet.js';
import { PetsModule } from '../../src/pets/index.js';
import { CanvasSql } from '../support/canvas-sql.js';
import { sqlite, type TestDatabase } from '../support/engines.js';
import { openSource } from '../support/stores.js';

let database: TestDatabase;
let source: JoiningDataSource;
const sql = new CanvasSql();
beforeAll(async () => {
  database = await sqlite.create();
  const migrations = [...migrationsOfModule(PetsModule), ...migrationsOfModule(StoreModule)];
  source = await openSource(
    database.url,
    { module: 'store', migrations, schemas: [PetSchema, OrderSchema] },
    sql,
  );
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

it('The canvas of a module has the statements of its own adapters, although its contract uses adapters of another module', async () => {
  const { pets, orders } = sql.watched({
    pets: new TypeOrmPetRepository(source.getRepository(Pet)),
    orders: new TypeOrmOrderRepository(source.getRepository(Order)),
  });
  await pets.find(1n);
  await orders.find(1n);
  expect(sql.adaptersOf('store')).toEqual(['TypeOrmOrderRepository']);
  expect(sql.adaptersOf('pets')).toEqual(['TypeOrmPetRepository']);
});
