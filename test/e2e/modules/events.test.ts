import { Module } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MODULES } from '../../../src/app.module.js';
import { Events } from '../../../src/kernel/events.js';
import { PetAdded, PetStatusChanged } from '../../../src/pets/index.js';
import { petstore } from '../../support/petstore.js';
import { sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { type Service, startService } from '../../support/service.js';

const listener = { heard: [] as object[], broken: false };

/** A module as another team might add it; its subscriber fails while `broken` is true. */
@Module({})
class ListenerModule {
  constructor(events: Events) {
    const hear = async (payload: object) => {
      if (listener.broken) throw new Error('the listener is broken');
      listener.heard.push(payload);
    };
    events.subscribe(PetAdded, 'listener', hear);
    events.subscribe(PetStatusChanged, 'listener', hear);
  }
}

/** test/contract/outbox.test.ts tests how messages are stored and delivered. */
describe('a module that listens to the catalogue', () => {
  let service: Service;
  beforeAll(async () => void (service = await startService(sqlite, { modules: [ListenerModule] })));
  afterAll(() => service.stop());
  afterEach(() => {
    listener.broken = false;
    listener.heard.length = 0;
  });

  const addPet = async () => {
    const { json } = await service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    return (json as { id: number }).id;
  };
  const order = (petId: number) => service.client.post('/v1/store/orders', { petId });
  const events = (...args: string[]) =>
    petstore(['events', ...args], { DATABASE_URL: service.database.url }, '', [...MODULES, ListenerModule]);

  it('receives the events of a new pet and of its orders, in this order', async () => {
    const petId = await addPet();
    await order(petId);
    const id = BigInt(petId);
    await eventually(async () =>
      expect(listener.heard).toEqual([
        { id, name: 'Rex', categoryId: 7n, status: 'available' },
        { id, from: 'available', to: 'pending' },
      ]),
    );
    expect((await events('status')).stdout).toBe('nothing waits, every event is delivered\n');
  });

  it('delays no other request when it fails, and the operator can see the failure', async () => {
    listener.broken = true;
    const petId = await addPet();
    expect((await order(petId)).status).toBe(201);
    await eventually(async () =>
      expect((await events('status')).stdout).toMatch(
        /^listener {2}2 waiting since \S+, failing on 1: the listener is broken\n$/,
      ),
    );
    const [line] = JSON.parse((await events('status', '--json')).stdout) as object[];
    expect(line).toMatchObject({ subscriber: 'listener', waiting: 2, failing: 1 });

    listener.broken = false;
    service.clock.advance(600_000);
    await eventually(async () =>
      expect(listener.heard.at(-1)).toEqual({ id: BigInt(petId), from: 'available', to: 'pending' }),
    );
  });
});
