import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linked } from '../support/api-client.js';
import { onOneEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

/** The queries themselves are tested on each engine in test/contract/pet-repository.test.ts. */
describe('the catalogue', () =>
  onOneEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine)));
    afterAll(() => service.stop());

    const add = async (pet: object) => (await service.client.post('/v1/pets', pet)).json as { id: number };

    it('adds a pet, and returns its id and its URL', async () => {
      const answer = await service.client.post('/v1/pets', { name: 'Rex', categoryId: 7, status: 'pending' });
      expect(answer.status).toBe(201);
      const { id } = answer.json as { id: number };
      expect(answer.json).toEqual({ id, name: 'Rex', categoryId: 7, status: 'pending' });
      expect(answer.headers.get('location')).toBe(`${service.client.origin}/v1/pets/${id}`);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    });

    it('stores a pet without a status as available', async () => {
      const answer = await service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
      expect(answer.json).toMatchObject({ status: 'available' });
    });

    it.each(['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'])(
      'returns the category %s with exactly these digits',
      async (digits) => {
        const added = await service.client.post('/v1/pets', `{"name":"Rex","categoryId":${digits}}`);
        expect(added.text).toContain(`"categoryId":${digits},`);
        const { id } = added.json as { id: number };
        expect((await service.client.get(`/v1/pets/${id}`)).text).toBe(added.text);
        expect((await service.client.get('/v1/pets?limit=1')).text).toBe(`[${added.text}]`);
      },
    );

    it('lists twenty pets if no limit is given', async () => {
      for (let i = 0; i < 25; i++) await add({ name: `Number ${i}`, categoryId: i });
      expect((await service.client.get('/v1/pets')).json).toHaveLength(20);
      expect((await service.client.get('/v1/pets?limit=25')).json).toHaveLength(25);
    });

    it('lists only pets of the requested status, on every page', async () => {
      for (let i = 0; i < 5; i++) {
        await add({ name: `Sold ${i}`, categoryId: i, status: 'sold' });
        await add({ name: `Free ${i}`, categoryId: i });
      }
      const first = await service.client.get('/v1/pets?status=sold&limit=3');
      const second = await service.client.get(linked(first, 'next')!);
      const names = [first, second].flatMap(({ json }) =>
        (json as { name: string }[]).map(({ name }) => name),
      );
      expect(names).toEqual(['Sold 4', 'Sold 3', 'Sold 2', 'Sold 1', 'Sold 0']);
    });

    it('lists the pets of some ids, in each form in which clients send a list', async () => {
      const pets = [await add({ name: 'Rex', categoryId: 7 }), await add({ name: 'Mia', categoryId: 7 })];
      const [rex, mia] = pets.map(({ id }) => id);
      for (const query of [
        `id=${rex},${mia},404404`,
        `id=${rex}&id=${mia}&id=404404`,
        `id=${rex},${mia}&id=404404`,
      ]) {
        const page = await service.client.get(`/v1/pets?${query}&limit=1`);
        expect(page.json).toMatchObject([pets[1]!]);
        expect(linked(page, 'first')).toBe(
          `${service.client.origin}/v1/pets?id=${rex}%2C${mia}%2C404404&limit=1`,
        );
        // The cursor belongs to the list, and not to the form of its parameter.
        const next = new URL(linked(page, 'next')!);
        const cursor = next.searchParams.get('cursor')!;
        expect((await service.client.get(`/v1/pets?${query}&limit=1&cursor=${cursor}`)).json).toMatchObject([
          pets[0]!,
        ]);
      }
    });

    it.each(['id=', 'id', 'id=1,,2', 'id=1&id=', 'id=,'])('reports a missing id in ?%s', async (query) => {
      const { status, json } = await service.client.get(`/v1/pets?${query}`);
      const message = 'each value must be an integer; one is empty';
      expect([status, json]).toMatchObject([
        400,
        { code: 'invalid_parameter', details: [{ field: 'query.id', code: 'invalid_type', message }] },
      ]);
    });

    it('links the next page if it exists, and always the first page', async () => {
      for (let i = 0; i < 2; i++) await add({ name: `Linked ${i}`, categoryId: i });
      const page = await service.client.get('/v1/pets?limit=1');
      const list = `${service.client.origin}/v1/pets`;
      expect(linked(page, 'next')).toMatch(new RegExp(`^${list}\\?limit=1&cursor=`));
      expect(linked(page, 'first')).toBe(`${list}?limit=1`);
      const all = await service.client.get('/v1/pets?status=pending');
      expect(linked(all, 'next')).toBeUndefined();
      expect(linked(all, 'first')).toBe(`${list}?status=pending`);
    });

    it('responds to HEAD as to GET, without the body', async () => {
      const get = await service.client.get('/v1/pets?limit=1');
      const head = await service.client.send('HEAD', '/v1/pets?limit=1');
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
      expect(head.headers.get('link')).toBe(get.headers.get('link'));
    });
  }));
