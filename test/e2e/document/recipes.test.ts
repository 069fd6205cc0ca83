import { afterAll, beforeAll, expect, describe, it } from 'vitest';
import { ApiKeyService } from '../../../src/access/index.js';
import { linked } from '../../support/api-client.js';
import { AppointmentsModule } from '../../support/appointments/appointments.module.js';
import { onOneEngine } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const RIVALS = 20;

/** The recipes of docs/adding-a-module.md, as in test/support/appointments; lists and changes have tests of their own. */
describe('a module that follows the recipes', () =>
  onOneEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine, { samples: [AppointmentsModule] })));
    afterAll(() => service.stop());

    const add = async (path: string, body: object) => {
      const { status, json, text } = await service.client.post(path, body);
      expect(status, text).toBe(201);
      return json as { id: number };
    };
    const addPet = async (name: string) => (await add('/v1/pets', { name, categoryId: 7 })).id;
    const book = (petId: number, day: number) =>
      add('/v1/appointments', { petId, kind: 'check', vet: 'Ada', dueAt: `2026-05-0${day}T10:00:00.000Z` });

    it('joins its table with that of another module, on each page of a list', async () => {
      const [rex, mia] = [await addPet('Rex'), await addPet('Mia')];
      for (const [petId, day] of [
        [mia, 4],
        [rex, 2],
        [404_404, 3],
        [rex, 5],
        [mia, 1],
      ] as const)
        await book(petId, day);
      const agenda: (string | undefined)[] = [];
      const query = 'dueFrom=2026-05-02T00:00:00Z&limit=1';
      for (let page: string | undefined = `/v1/appointments/agenda?withNames=true&${query}`; page;) {
        const answer = await service.client.get(page);
        agenda.push(...(answer.json as unknown as { petName?: string }[]).map(({ petName }) => petName));
        page = linked(answer, 'next');
      }
      expect(agenda).toEqual(['Rex', undefined, 'Mia', 'Rex']);
      const ofMia = await service.client.get(
        `/v1/appointments/agenda?withNames=true&petId=${mia}&sort=-dueAt`,
      );
      expect(ofMia.json).toMatchObject([
        { petName: 'Mia', dueAt: '2026-05-04T10:00:00.000Z' },
        { petName: 'Mia', dueAt: '2026-05-01T10:00:00.000Z' },
      ]);
    });

    it('locks rows, so that of many who pay for the same ones each is paid for once', async () => {
      const petId = await addPet('Lux');
      for (const day of [1, 2, 3]) await book(petId, day);
      const payments = await Promise.all(
        Array.from({ length: RIVALS }, () => service.client.post('/v1/appointments/payments', { petId })),
      );
      expect(payments.map(({ status }) => status)).toEqual(payments.map(() => 201));
      const paid = payments.map(({ json }) => (json as { appointments: number }).appointments);
      expect(paid.toSorted()).toEqual([...payments.slice(1).map(() => 0), 3]);
      const { json } = await service.client.get(`/v1/appointments?petId=${petId}`);
      expect(json).toMatchObject([{ isPaid: true }, { isPaid: true }, { isPaid: true }]);
    });

    it('has scopes, which a key can be restricted to', async () => {
      const { secret } = await service.app
        .get(ApiKeyService)
        .issue({ name: 'waiting room', scopes: ['appointments:read'] }, 'test', 'tester');
      const client = service.stranger.with({ Authorization: `Bearer ${secret}` });
      expect((await client.get('/v1/appointments')).status).toBe(200);
      const refused = await client.post('/v1/appointments/payments', { petId: 1 });
      expect([refused.status, refused.json]).toMatchObject([403, { code: 'insufficient_scope' }]);
      expect(refused.headers.get('www-authenticate')).toContain('scope="appointments:write"');
      expect((await client.get('/v1/pets')).status).toBe(403);
    });
  }));
