import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { mariaDb } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';
import { SlowProxy } from '../../support/databases/slow-proxy.js';

const CLIENTS = 16;
const ROUNDS = 8;

/** Delays of 0 to 20 ms in a fixed sequence, so that responses overtake each other. */
function unevenDelays(): () => number {
  let state = 1;
  return () => (state = (state * 48_271) % 2_147_483_647) % 21;
}

describe.skipIf(!mariaDb.installed)('on a database whose answers are late', () => {
  let service: Service;
  let proxy: SlowProxy;
  beforeAll(async () => {
    proxy = await SlowProxy.before(inject('mariaDbPort')!, unevenDelays());
    const database = await mariaDb.create();
    const url = new URL(database.url);
    url.port = String(proxy.port);
    service = await startService({ create: () => Promise.resolve({ ...database, url: url.href }) });
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
  });

  it('nobody is shown a list without what was added before they asked, however many ask at once', async () => {
    const client = async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const added = await service.client.post('/v1/pets', { name: 'Rex', categoryId: round });
        const { id } = added.json as { id: number };
        const list = (await service.client.get('/v1/pets?limit=100')).json as { id: number }[];
        const oldest = list.at(-1)!.id;
        expect(list.length < 100 || oldest < id ? list.map((pet) => pet.id) : [id]).toContain(id);
        expect((await service.client.get(`/v1/pets/${id}`)).json).toMatchObject({ id });
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  });

  it('each of many who add at once gets a pet of their own, and all are there', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `Pet ${i}`);
    const answers = await Promise.all(
      names.map((name) => service.client.post('/v1/pets', { name, categoryId: 1 })),
    );
    expect(answers.map(({ json }) => (json as { name: string }).name)).toEqual(names);
    const ids = answers.map(({ json }) => (json as { id: number }).id);
    const found = await Promise.all(ids.map((id) => service.client.get(`/v1/pets/${id}`)));
    expect(found.map(({ json }) => (json as { name: string }).name)).toEqual(names);
  });
});
