import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

const rex = { name: 'Rex', categoryId: 7 };

describe('adding a pet', () => {
  let service: Service;
  beforeAll(async () => (service = await startService(sqlite)));
  afterAll(() => service.stop());

  const problems = async (body: unknown) => {
    const { status, json } = await service.client.post('/v1/pets', body);
    const { code, details } = json as { code: string; details?: { field: string; code: string }[] };
    return { status, code, details: details?.map((detail) => `${detail.field} ${detail.code}`) };
  };

  // Which values a field may have is tested in test/unit/pets and test/unit/platform/http/validation.
  it.each<[unknown, string[]]>([
    [{}, ['/name required', '/categoryId required']],
    ['{"name":"\\ud83d","categoryId":7}', ['/name malformed_text']],
    [{ ...rex, name: '🐶'.repeat(256) }, ['/name too_long']],
    [{ ...rex, 'a/b~c': 1 }, ['/a~1b~0c unknown_field']],
    [
      { name: '\u0001', categoryId: 'x', status: 'lost', id: 1, tag: 1 },
      [
        '/categoryId invalid_type',
        '/id read_only_field',
        '/name blank',
        '/name control_character',
        '/status invalid_enum_value',
        '/tag unknown_field',
      ],
    ],
    [[], [' invalid_type']],
  ])('refuses %j and names every problem', async (body, expected) => {
    const refused = await problems(body);
    expect(refused).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(refused.details?.sort()).toEqual(expected.sort());
  });

  it('guesses what a misspelt field was meant to be', async () => {
    const { json } = await service.client.post('/v1/pets', { ...rex, stauts: 'sold' });
    expect((json as { message: string }).message).toContain('did you mean status');
  });

  it.each([
    ['an empty body', ''],
    ['a name that comes twice in disguise', '{"name":"Rex","n\\u0061me":"Max","categoryId":7}'],
    ['45,000 nested arrays', '['.repeat(45_000)],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('refuses %s as invalid JSON', async (_, body) => {
    expect(await problems(body)).toMatchObject({ status: 400, code: 'invalid_json' });
  });

  it.each(['7.0', '70e-1'])('takes %s for the integer it is', async (spelling) => {
    const answer = await service.client.post('/v1/pets', `{"name":"Rex","categoryId":${spelling}}`);
    expect(answer.json).toMatchObject({ categoryId: 7 });
  });

  it('reads a gzipped body', async () => {
    const body = gzipSync(JSON.stringify(rex));
    const answer = await service.client.post('/v1/pets', body, { headers: { 'Content-Encoding': 'gzip' } });
    expect(answer.status).toBe(201);
  });

  it('refuses a body that inflates above the limit as too large', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const answer = await service.client.post('/v1/pets', gzipSync('x'.repeat(10_000_000)), { headers });
    expect(answer.status).toBe(413);
    expect(answer.json).toMatchObject({ code: 'payload_too_large' });
  });

  it.each<Record<string, string>>([{ 'Content-Type': 'text/plain' }, { 'Content-Encoding': 'br' }])(
    'refuses a body sent as %j',
    async (headers) => {
      const answer = await service.client.post('/v1/pets', rex, { headers });
      expect(answer.status).toBe(415);
      expect(answer.json).toMatchObject({ code: 'unsupported_media_type' });
    },
  );

  it('adds nothing of what it refuses', async () => {
    const before = (await service.client.get('/v1/pets?limit=100')).text;
    await problems({ ...rex, name: '' });
    await problems('{');
    expect((await service.client.get('/v1/pets?limit=100')).text).toBe(before);
  });
});
