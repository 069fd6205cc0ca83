import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Int64 } from '../../../src/kernel/int64.js';
import { PetNotAvailable, PetReservations, PetsModule } from '../../../src/pets/index.js';
import { StoreModule } from '../../../src/store/index.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

/** Has one pet, and remembers what was done with it. */
class OnePet extends PetReservations {
  readonly calls: string[] = [];

  override async reserve(id: Int64): Promise<void> {
    if (id !== 7n) throw new PetNotAvailable(id);
    this.calls.push(`reserve ${id}`);
  }

  override async release(id: Int64): Promise<void> {
    this.calls.push(`release ${id}`);
  }

  override async sell(id: Int64): Promise<void> {
    this.calls.push(`sell ${id}`);
  }
}

const pets = new OnePet();
let service: Service;
beforeAll(async () => {
  const neighbours = new Map([[PetsModule, [{ provide: PetReservations, useValue: pets }]]]);
  service = await startService(sqlite, { only: [StoreModule], neighbours });
});
afterAll(() => service.stop());

it('a module works alone, with what stands at the door of its neighbour replaced', async () => {
  const { client } = service;
  const { status, json } = await client.post('/v1/store/orders', { petId: 7 });
  expect([status, json]).toMatchObject([201, { petId: 7, status: 'placed' }]);
  const { id } = json as { id: number };
  expect((await client.patch(`/v1/store/orders/${id}`, { status: 'delivered' })).status).toBe(200);
  expect(pets.calls).toEqual(['reserve 7', 'sell 7']);
});

it('a refusal of the neighbour is the refusal of the module', async () => {
  const { status, json } = await service.client.post('/v1/store/orders', { petId: 8 });
  expect([status, json]).toMatchObject([409, { code: 'pet_not_available' }]);
});

it('the neighbour itself is not there', async () => {
  expect((await service.client.get('/v1/pets')).status).toBe(404);
});
