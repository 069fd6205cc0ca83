import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linked } from '../../support/api-client.js';
import { onOneEngine } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

describe('the parameters of the list', () =>
  onOneEngine((engine) => {
    let service: Service;
    beforeAll(async () => {
      service = await startService(engine);
      for (let i = 0; i < 4; i++) await service.client.post('/v1/pets', { name: `Pet ${i}`, categoryId: i });
    });
    afterAll(() => service.stop());

    const refusal = async (query: string) => {
      const { status, json } = await service.client.get(`/v1/pets?${query}`);
      const { code, message, details } = json as {
        code: string;
        message: string;
        details?: { field: string }[];
      };
      return { status, code, message, fields: details?.map(({ field }) => field) };
    };

    it.each(['0', '101', '-1', '', '1e1', '%2B5', '05', '5.0', 'ten', '99999999999999999999', '5&limit=5'])(
      'refuses limit=%s and names the range',
      async (limit) => {
        const refused = await refusal(`limit=${limit}`);
        expect(refused).toMatchObject({ status: 400, code: 'invalid_parameter', fields: ['query.limit'] });
        expect(refused.message).toContain('1 to 100');
      },
    );

    it.each(['1', '100'])('takes limit=%s', async (limit) => {
      expect((await service.client.get(`/v1/pets?limit=${limit}`)).status).toBe(200);
    });

    it.each(['lost', 'SOLD', '', 'sold&status=sold', '%00'])(
      'refuses status=%s and lists the three',
      async (word) => {
        const refused = await refusal(`status=${word}`);
        expect(refused).toMatchObject({ status: 400, code: 'invalid_parameter', fields: ['query.status'] });
        expect(refused.message).toContain('available, pending, sold');
      },
    );

    it('refuses a parameter it does not know and names the nearest one it does', async () => {
      const refused = await refusal('stauts=sold');
      expect(refused).toMatchObject({ status: 400, code: 'unknown_parameter', fields: ['query.stauts'] });
      expect(refused.message).toContain('did you mean status');
    });

    it('lists what it knows where nothing is near', async () => {
      expect((await refusal('colour=brown')).message).toContain('cursor, id, limit, status');
    });

    it('judges what follows after a thousand &', async () => {
      const refused = await refusal(`limit=1${'&'.repeat(1_001)}stauts=sold`);
      expect(refused).toMatchObject({ status: 400, code: 'unknown_parameter', fields: ['query.stauts'] });
    });

    it('names every problem at once', async () => {
      const refused = await refusal('limit=0&status=lost&offset=3');
      expect(refused).toMatchObject({ code: 'unknown_parameter' });
      expect(refused.fields?.sort()).toEqual(['query.limit', 'query.offset', 'query.status']);
    });

    const cursor = async (query: string) =>
      new URLSearchParams(linked(await service.client.get(`/v1/pets?${query}`), 'next')!.split('?')[1]).get(
        'cursor',
      )!;

    it('refuses a cursor that was altered anywhere', async () => {
      const good = await cursor('limit=1');
      for (let i = 0; i < good.length; i++) {
        const altered = good.slice(0, i) + (good[i] === 'A' ? 'B' : 'A') + good.slice(i + 1);
        expect(await refusal(`cursor=${altered}`)).toMatchObject({ status: 400, code: 'invalid_cursor' });
      }
    });

    it.each(['', 'x', '%00', 'MSAvb3JkZXJz', '..%2F..'])('refuses %j as a cursor', async (text) => {
      expect(await refusal(`cursor=${text}`)).toMatchObject({ status: 400, code: 'invalid_cursor' });
    });

    it('refuses a cursor of another status', async () => {
      const good = await cursor('limit=1&status=available');
      expect((await service.client.get(`/v1/pets?status=available&cursor=${good}`)).status).toBe(200);
      expect(await refusal(`cursor=${good}`)).toMatchObject({ code: 'invalid_cursor' });
      expect(await refusal(`status=sold&cursor=${good}`)).toMatchObject({ code: 'invalid_cursor' });
    });

    it('refuses two cursors', async () => {
      const good = await cursor('limit=1');
      expect(await refusal(`cursor=${good}&cursor=${good}`)).toMatchObject({ code: 'invalid_parameter' });
    });
  }));
