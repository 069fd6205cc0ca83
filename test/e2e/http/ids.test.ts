import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const NO_IDS = ['abc', '007', '1e3', '-1', '0', '9223372036854775808'];

describe('a path whose last part is no id', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(sqlite);
    // From now on its key is known without the database.
    await service.client.get('/v1/pets');
  });
  afterAll(() => service.stop());

  const askAll = async (id: string) => [
    await service.client.get(`/v1/pets/${id}`),
    await service.client.patch(`/v1/store/orders/${id}`, { status: 'approved' }),
  ];

  it('leads to nothing while the database is away, where an id has to wait for it', async () => {
    await service.app.get(DataSource).destroy();
    for (const id of NO_IDS)
      expect(
        (await askAll(id)).map(({ status }) => status),
        id,
      ).toEqual([404, 404]);
    expect((await askAll('1')).map(({ status }) => status)).toEqual([503, 503]);
  });
});
