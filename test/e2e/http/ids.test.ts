import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onEveryEngine } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';
import { StatementRecorder } from '../../support/site/statement-recorder.js';

const NO_IDS = ['abc', '007', '1e3', '-1', '0', '9223372036854775808'];

describe('a path whose last part is no id', () =>
  onEveryEngine((engine) => {
    let service: Service;
    const recorder = new StatementRecorder();
    beforeAll(async () => {
      service = await startService(engine);
      service.app.get(DataSource).logger = recorder;
      // From now on its key is known without the database.
      await service.client.get('/v1/pets');
    });
    afterAll(() => service.stop());

    const askAll = async (id: string) => [
      await service.client.get(`/v1/pets/${id}`),
      await service.client.patch(`/v1/store/orders/${id}`, { status: 'approved' }),
    ];

    it('leads to nothing, and nobody asks the database', async () => {
      recorder.statements.length = 0;
      for (const id of NO_IDS) {
        const [pet, order] = await askAll(id);
        expect([pet!.status, pet!.json], id).toMatchObject([404, { code: 'pet_not_found' }]);
        expect([order!.status, order!.json], id).toMatchObject([404, { code: 'order_not_found' }]);
      }
      const ofThem = recorder.statements.filter(({ text }) => /\b(?:pets|orders)\b/.test(text));
      expect(ofThem).toEqual([]);
    });

    it('leads to nothing while the database is away, where an id has to wait for it', async () => {
      await service.app.get(DataSource).destroy();
      for (const id of NO_IDS)
        expect(
          (await askAll(id)).map(({ status }) => status),
          id,
        ).toEqual([404, 404]);
      expect((await askAll('1')).map(({ status }) => status)).toEqual([503, 503]);
    });
  }));
