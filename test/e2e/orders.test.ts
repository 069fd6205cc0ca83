import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnitOfWork } from '../../src/kernel/unit-of-work.js';
import { PetLocks, PetsModule } from '../../src/pets/index.js';
import { linked } from '../support/api-client.js';
import { onEveryEngine, sqlite } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';
import { untilServed } from '../support/until-served.js';

const ORDERS = '/v1/store/orders';

describe('the store area', () =>
  onEveryEngine((engine) => {
    let one: Service;
    let replicas: Service[];
    beforeAll(async () => {
      one = await startService(engine);
      replicas = [
        one,
        await startService(engine, { beside: one }),
        await startService(engine, { beside: one }),
      ];
    });
    afterAll(async () => {
      for (const replica of replicas.toReversed()) await replica.stop();
    });

    const addPet = async (pet = {}) => {
      const { json } = await one.client.post('/v1/pets', { name: 'Rex', categoryId: 7, ...pet });
      return (json as { id: number }).id;
    };
    const place = (petId: unknown) => one.client.post(ORDERS, { petId });
    const order = async (petId: number) => (await place(petId)).json as { id: number };
    const move = (id: unknown, status: string, headers: Record<string, string> = {}) =>
      one.client.send('PATCH', `${ORDERS}/${String(id)}`, {
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ status }),
      });
    const statusOf = async (petId: number) =>
      ((await one.client.get(`/v1/pets/${petId}`)).json as { status: string }).status;

    it('creates an order, and holds its pet', async () => {
      const petId = await addPet();
      const placed = await place(petId);
      expect(placed.status).toBe(201);
      expect(placed.json).toEqual({
        id: (placed.json as { id: number }).id,
        petId,
        status: 'placed',
        placedAt: new Date(one.clock.now()).toISOString(),
      });
      const address = new URL(placed.headers.get('location')!).pathname;
      const found = await one.client.get(address);
      expect([address, found.json]).toEqual([`${ORDERS}/${(placed.json as { id: number }).id}`, placed.json]);
      expect(await statusOf(petId)).toBe('pending');
      const held = await one.client.get('/v1/pets?status=pending&limit=1');
      expect(held.json).toMatchObject([{ id: petId }]);
    });

    it('accepts one of fifty concurrent orders for a pet, through three replicas', async () => {
      const petId = await addPet();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => {
          const headers = { 'Idempotency-Key': `${petId}-${i}` };
          return untilServed(() => replicas[i % 3]!.client.post(ORDERS, { petId }, { headers }));
        }),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused).toHaveLength(49);
      for (const { json } of refused) expect(json).toMatchObject({ code: 'pet_not_available' });
      expect(await statusOf(petId)).toBe('pending');
      const orders = (await one.client.get(`${ORDERS}?limit=100`)).json as { petId: number }[];
      expect(orders.filter((placed) => placed.petId === petId)).toHaveLength(1);
    });

    it('sells a pet that another module has locked only after its unit of work ends', async () => {
      const petId = await addPet();
      const { id } = await order(petId);
      const locks = one.app.get(PetLocks, { strict: false });
      let sale!: ReturnType<typeof move>;
      await one.app.get(UnitOfWork, { strict: false }).run(async () => {
        expect(await locks.lock(BigInt(petId))).toBe('pending');
        sale = move(id, 'delivered');
        expect(await locks.lock(BigInt(petId))).toBe('pending');
      });
      expect([(await sale).status, await statusOf(petId)]).toEqual([200, 'sold']);
    });

    if (engine !== sqlite) return;

    it('changes an order under If-Match only if it is unchanged since the client read it', async () => {
      const petId = await addPet();
      const { id } = await order(petId);
      await move(id, 'approved');
      const seen = (await one.client.get(`${ORDERS}/${id}`)).headers.get('etag')!;
      expect((await move(id, 'cancelled', { 'If-Match': '"another"' })).status).toBe(412);
      const ofList = (await one.client.get(ORDERS)).headers.get('etag')!;
      expect((await move(id, 'cancelled', { 'If-Match': ofList })).json).toMatchObject({
        code: 'precondition_failed',
        message: expect.stringContaining('weak tag') as string,
      });
      expect(await statusOf(petId)).toBe('pending');
      expect((await move(id, 'delivered', { 'If-Match': seen })).status).toBe(200);
      expect((await move(id, 'cancelled')).json).toMatchObject({ code: 'invalid_transition', status: 409 });
      expect(await statusOf(petId)).toBe('sold');
    });

    it('returns the first response to a repeated change, and changes nothing, also when the pet has another order', async () => {
      const petId = await addPet();
      const { id } = await order(petId);
      const seen = (await one.client.get(`${ORDERS}/${id}`)).headers.get('etag')!;
      const first = await move(id, 'cancelled', { 'If-Match': seen });
      await order(petId);
      const again = await move(id, 'cancelled', { 'If-Match': seen });
      expect([again.status, again.json]).toEqual([200, first.json]);
      expect(await statusOf(petId)).toBe('pending');
    });

    it('lists orders on pages, newest first, of one status or all', async () => {
      const petId = await addPet();
      const { id } = await order(petId);
      for (let i = 0; i < 2; i++) await order(await addPet());
      const page = await one.client.get(`${ORDERS}?status=placed&limit=2`);
      const [first, second] = page.json as { id: number; status: string }[];
      expect(first!.id).toBeGreaterThan(second!.id);
      const next = (await one.client.get(linked(page, 'next')!)).json as { id: number }[];
      expect(next[0]!.id).toBeLessThan(second!.id);
      expect((await one.client.get(`${ORDERS}?petId=${petId}`)).json).toMatchObject([{ id, petId }]);
    });

    it('marks every response as experimental, errors included', async () => {
      const answers = [await one.client.get(ORDERS), await one.stranger.get(ORDERS), await place(404)];
      for (const { headers } of answers) expect(headers.get('stability')).toBe('experimental');
      expect((await one.client.get('/v1/pets')).headers.get('stability')).toBeNull();
    });

    it('can be left out of the service', async () => {
      const without = await startService(engine, { only: [PetsModule] });
      expect((await without.client.get(ORDERS)).status).toBe(404);
      expect((await without.client.get('/openapi.json')).text).not.toMatch(/store\/orders|Order/);
      await without.stop();
    });
  }));
