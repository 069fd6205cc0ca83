import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Deprecation,
  type Order,
  PetStoreClient,
  type PetStoreOptions,
} from '../../client/src/index.js';
import { all } from './all.js';
import { onOneEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

const LARGEST = 2n ** 63n - 1n;
const SMALLEST = -(2n ** 63n);

describe('the client', () =>
  onOneEngine((engine) => {
    let service: Service;
    let client: PetStoreClient;
    const notices: Deprecation[] = [];
    const clientOf = ({ port, secret }: Service, options: Partial<PetStoreOptions> = {}) =>
      new PetStoreClient({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: secret, ...options });

    beforeAll(async () => {
      service = await startService(engine);
      client = clientOf(service, { onDeprecated: (notice) => notices.push(notice) });
    });
    afterAll(() => service.stop());
    beforeEach(() => void notices.splice(0));

    it('creates pets with exact category ids', async () => {
      for (const categoryId of [LARGEST, SMALLEST, 2n ** 53n + 1n, 0n]) {
        const pet = await client.pets.create({ name: 'Rex "{7}": 🐕', categoryId });
        expect(pet).toEqual({
          id: expect.any(BigInt) as bigint,
          name: 'Rex "{7}": 🐕',
          categoryId,
          status: 'available',
        });
        expect(await all(client.pets.list({ id: [pet.id, 404_404n], pageSize: 1 }))).toEqual([pet]);
      }
    });

    it('requests a page only when the loop needs it', async () => {
      let requests = 0;
      const counting = clientOf(service, {
        fetch: (...request) => {
          requests++;
          return fetch(...request);
        },
      });
      for (let i = 0; i < 4; i++) await client.pets.create({ name: `Leo ${i}`, categoryId: 7n });
      const pets = counting.pets.list({ status: 'available', pageSize: 2 });
      expect(requests).toBe(0);
      let seen = 0;
      for await (const { status } of pets) {
        expect(status).toBe('available');
        if (++seen === 3) break;
      }
      expect(requests).toBe(2);
    });

    it('creates orders, lists them and changes their status', async () => {
      const placed: Order[] = [];
      for (let i = 0; i < 3; i++) {
        const { id } = await client.pets.create({ name: `Kim ${i}`, categoryId: LARGEST });
        placed.unshift(await client.orders.create({ petId: id }));
        expect(placed[0]).toMatchObject({ petId: id, status: 'placed' });
      }
      expect(await all(client.orders.list({ status: 'placed', pageSize: 2 }))).toEqual(placed);
      expect(await all(client.orders.list({ petId: placed[1]!.petId }))).toEqual([placed[1]]);
      expect(await client.orders.get(placed[0]!.id)).toEqual(placed[0]);
      const { items, nextCursor } = await client.orders.listPage({ pageSize: 2 });
      expect(items).toEqual(placed.slice(0, 2));
      expect((await client.orders.listPage({ cursor: nextCursor })).items).toEqual(placed.slice(2));

      const [order] = placed as [Order];
      const sold = await client.orders.update(order.id, { status: 'delivered' });
      expect(sold).toEqual({ ...order, status: 'delivered' });
      const pets = await all(client.pets.list({ status: 'sold' }));
      expect(pets.map(({ id }) => id)).toEqual([order.petId]);
      const again = client.orders.update(order.id, { status: 'cancelled' });
      await expect(again).rejects.toMatchObject({ name: 'ConflictError', code: 'invalid_transition' });
      const missing = client.orders.update(LARGEST, { status: 'approved' });
      await expect(missing).rejects.toMatchObject({ name: 'NotFoundError', code: 'order_not_found' });
      const rival = client.orders.create({ petId: order.petId });
      await expect(rival).rejects.toMatchObject({ name: 'ConflictError', code: 'pet_not_available' });
    });

    it('fetches a pet, and reports that the operation is deprecated', async () => {
      const pet = await client.pets.create({ name: 'Ada', categoryId: LARGEST });
      expect(await client.pets.get(pet.id)).toEqual(pet);
      const [notice] = notices.splice(0);
      expect(notice).toEqual({
        operation: 'getPet',
        deprecation: new Date('2026-11-20T00:00:00Z'),
        sunset: new Date('2030-12-05T00:00:00Z'),
        successor: expect.stringContaining(
          `http://127.0.0.1:${service.port}/v1/pets?status=available`,
        ) as string,
        link: expect.stringMatching(/^http/) as string,
      });
      const answer = await fetch(notice!.successor!, {
        headers: { Authorization: `Bearer ${service.secret}` },
      });
      expect(await answer.text()).toBe(
        `[{"id":${pet.id},"name":"Ada","categoryId":${LARGEST},"status":"available"}]`,
      );
    });

    it('throws an error with every problem that the service reports', async () => {
      await expect(client.pets.create({ name: '', categoryId: LARGEST + 1n })).rejects.toMatchObject({
        name: 'BadRequestError',
        code: 'validation_failed',
        status: 400,
        details: [
          { field: '/name', code: 'blank' },
          { field: '/categoryId', code: 'out_of_range' },
        ].map((detail) => expect.objectContaining(detail) as unknown),
      });
      await expect(client.pets.list({ pageSize: 101 }).next()).rejects.toMatchObject({
        code: 'invalid_parameter',
        details: [{ field: 'query.limit' }],
      });
      await expect(client.pets.get(LARGEST)).rejects.toMatchObject({ code: 'pet_not_found', status: 404 });
      const stranger = clientOf({ ...service, secret: 'psk_test_unknown' });
      await expect(stranger.pets.list().next()).rejects.toMatchObject({
        code: 'invalid_api_key',
        status: 401,
      });
    });
  }));
