import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnitOfWork } from '../../src/kernel/unit-of-work.js';
import { PetLocks, PetsModule } from '../../src/pets/index.js';
import { linked } from '../support/api-client.js';
import { onEveryEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

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

    it('takes an order, and holds its pet', async () => {
      const petId = await addPet();
      const placed = await place(petId);
      expect(placed.status).toBe(201);
      expect(placed.json).toEqual({
        id: (placed.json as { id: number }).id,
        petId,
        status: 'placed',
        placedAt: new Date(one.clock.now()).toISOString(),
      });
      expect(await statusOf(petId)).toBe('pending');
      const held = await one.client.get('/v1/pets?status=pending&limit=1');
      expect(held.json).toMatchObject([{ id: petId }]);
    });

    it('says where an order is, and gives it back', async () => {
      const placed = await place(await addPet());
      const { id } = placed.json as { id: number };
      const address = new URL(placed.headers.get('location')!);
      expect(address.pathname).toBe(`${ORDERS}/${id}`);
      const found = await one.client.get(address.pathname);
      expect([found.status, found.json]).toEqual([200, placed.json]);
      expect(found.headers.get('stability')).toBe('experimental');
    });

    it('lets one of fifty rivals win, through three replicas', async () => {
      const petId = await addPet();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => replicas[i % 3]!.client.post(ORDERS, { petId })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused).toHaveLength(49);
      for (const { json } of refused) expect(json).toMatchObject({ code: 'pet_not_available' });
      expect(await statusOf(petId)).toBe('pending');
      const orders = (await one.client.get(`${ORDERS}?limit=100`)).json as { petId: number }[];
      expect(orders.filter((placed) => placed.petId === petId)).toHaveLength(1);
    });

    it('sells no pet that another module has locked until its unit of work ends', async () => {
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

    it('moves an order on only as the client has seen it, if that is asked for', async () => {
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
      expect(await statusOf(petId)).toBe('sold');
    });

    it('sells the pet of an order that is delivered, and gives back that of one that is cancelled', async () => {
      const [sold, kept] = [await addPet(), await addPet()];
      await move((await order(sold)).id, 'approved');
      expect(await statusOf(sold)).toBe('pending');
      const delivered = await move((await order(kept)).id, 'cancelled');
      expect([delivered.status, await statusOf(kept)]).toEqual([200, 'available']);
      expect((await place(kept)).status).toBe(201);
    });

    it('refuses what the life of an order does not allow, and changes nothing', async () => {
      const petId = await addPet();
      const { id } = await order(petId);
      await move(id, 'delivered');
      expect((await move(id, 'placed')).json).toMatchObject({ code: 'validation_failed' });
      for (const status of ['approved', 'cancelled']) {
        const refused = await move(id, status);
        expect([refused.status, (refused.json as { code: string }).code]).toEqual([
          409,
          'invalid_transition',
        ]);
      }
      expect(await statusOf(petId)).toBe('sold');
    });

    it('answers a change that comes again as the first time, and changes nothing, also once the pet has another order', async () => {
      const petId = await addPet();
      const { id } = await order(petId);
      const seen = (await one.client.get(`${ORDERS}/${id}`)).headers.get('etag')!;
      const first = await move(id, 'cancelled', { 'If-Match': seen });
      await order(petId);
      const again = await move(id, 'cancelled', { 'If-Match': seen });
      expect([again.status, again.json]).toEqual([200, first.json]);
      expect(await statusOf(petId)).toBe('pending');
    });

    it('takes no order for a pet that was never there', async () => {
      expect((await place(9_007_199_254_740_991)).json).toMatchObject({ code: 'pet_not_available' });
    });

    it.each<[unknown, string]>([
      [{}, '/petId required'],
      [{ petId: 0 }, '/petId out_of_range'],
      [{ petId: 7, status: 'approved' }, '/status read_only_field'],
    ])('refuses %j', async (body, problem) => {
      const { status, json } = await one.client.post(ORDERS, body);
      const details = (json as unknown as { details: { field: string; code: string }[] }).details;
      expect([status, details.map(({ field, code }) => `${field} ${code}`)]).toEqual([400, [problem]]);
    });

    it('lists orders on pages, newest first, of one status or all', async () => {
      for (let i = 0; i < 3; i++) await order(await addPet());
      const page = await one.client.get(`${ORDERS}?status=placed&limit=2`);
      const [first, second] = page.json as { id: number; status: string }[];
      expect(first!.id).toBeGreaterThan(second!.id);
      const next = (await one.client.get(linked(page, 'next')!)).json as { id: number }[];
      expect(next[0]!.id).toBeLessThan(second!.id);
      expect((await one.client.get(`${ORDERS}?cursor=x`)).json).toMatchObject({ code: 'invalid_cursor' });
    });

    it('lists the orders of a pet, of one status or all', async () => {
      const petId = await addPet();
      const { id } = await order(petId);
      await move(id, 'cancelled');
      const last = await order(petId);
      const ids = async (query: string) =>
        ((await one.client.get(`${ORDERS}?petId=${petId}${query}`)).json as { id: number }[]).map(
          (each) => each.id,
        );
      expect(await ids('')).toEqual([last.id, id]);
      expect(await ids('&status=cancelled')).toEqual([id]);
    });

    it('says on every answer that it is experimental, refusals included', async () => {
      const answers = [await one.client.get(ORDERS), await one.stranger.get(ORDERS), await place(404)];
      for (const { headers } of answers) expect(headers.get('stability')).toBe('experimental');
      expect((await one.client.get('/v1/pets')).headers.get('stability')).toBeNull();
    });

    it('can be left out altogether', async () => {
      const without = await startService(engine, { only: [PetsModule] });
      expect((await without.client.get(ORDERS)).status).toBe(404);
      expect((await without.client.get('/openapi.json')).text).not.toMatch(/store\/orders|Order/);
      await without.stop();
    });
  }));
