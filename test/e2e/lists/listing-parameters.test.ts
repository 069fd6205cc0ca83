import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

describe('the parameters of a query', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(sqlite);
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
    return { status, code, message, fields: details?.map(({ field }) => field).toSorted() };
  };

  it.each(['1', '100'])('accept limit=%s', async (limit) => {
    expect((await service.client.get(`/v1/pets?limit=${limit}`)).status).toBe(200);
  });

  it.each([
    ['limit=101', 'invalid_parameter', 'query.limit', '1 to 100'],
    ['limit=5&limit=5', 'invalid_parameter', 'query.limit', '1 to 100'],
    ['status=SOLD', 'invalid_parameter', 'query.status', 'available, pending, sold'],
    ['status=sold&status=sold', 'invalid_parameter', 'query.status', 'available, pending, sold'],
    ['id=1,0', 'invalid_parameter', 'query.id', 'each value must be from 1 to 9007199254740991'],
    [`id=${'1,'.repeat(100)}1`, 'invalid_parameter', 'query.id', 'no more than 100 elements'],
    ['colour=brown', 'unknown_parameter', 'query.colour', 'cursor, id, limit, status'],
    [`${'&'.repeat(1_001)}stauts=sold`, 'unknown_parameter', 'query.stauts', 'did you mean status'],
    ['cursor=%00', 'invalid_cursor', 'query.cursor', 'take it unchanged'],
  ])('get 400 for %s, and the message says what is accepted', async (query, code, field, hint) => {
    const refused = await refusal(query);
    expect(refused).toMatchObject({ status: 400, code, fields: [field] });
    expect(refused.message).toContain(hint);
  });

  it('get one response that names every problem', async () => {
    expect(await refusal('limit=0&status=lost&offset=3')).toMatchObject({
      code: 'unknown_parameter',
      fields: ['query.limit', 'query.offset', 'query.status'],
    });
  });

  it('are checked before anything is done', async () => {
    const before = (await service.client.get('/v1/pets')).text;
    const dry = await service.client.post('/v1/pets?dryRun=true', { name: 'Rex', categoryId: 7 });
    expect([dry.status, (await service.client.get('/v1/pets')).text]).toEqual([400, before]);
  });

  it('are not checked without a key, nor for a removed operation', async () => {
    expect((await service.stranger.get('/v1/pets/1?x=1')).status).toBe(401);
    service.clock.set('2030-12-05T00:00:00Z');
    expect((await service.client.get('/v1/pets/1?x=1')).status).toBe(410);
  });

  it('are ignored outside of the operations', async () => {
    for (const path of ['/livez', '/docs', '/openapi.json', '/'])
      expect((await fetch(`${service.stranger.origin}${path}?utm_source=mail`)).status, path).toBe(200);
  });
});
