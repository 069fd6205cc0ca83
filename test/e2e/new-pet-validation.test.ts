import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PetImport, type RefusedRecord } from '../../src/pet-files/application/pet-import.js';
import { parseJson } from '../../src/platform/json/parse-json.js';
import { sqlite } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

const rex = { name: 'Rex', categoryId: 7 };

/** Each is sent as a request body, and imported as a record of a file. */
const INPUTS = [
  '{"name":"Rex","categoryId":7}',
  '{"name":"Rex","categoryId":9007199254740993,"status":"sold"}',
  '{"name":"Rex","categoryId":7.0}',
  '{}',
  '{"name":null,"categoryId":"7"}',
  '{"name":" ","categoryId":7.5,"status":null}',
  '{"name":"\\ud83d","categoryId":9223372036854775808}',
  '{"name":"a\\u0000","categoryId":1e400,"status":"lost"}',
  '{"name":"Rex","categoryId":7,"id":1,"stauts":"sold","constructor":1}',
];

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

  it('is admitted and refused just as an import does it, for the same reasons', async () => {
    const refused = new Map<number, RefusedRecord['problems']>();
    async function* records() {
      for (const text of INPUTS) yield { data: parseJson(Buffer.from(text)) as object };
    }
    await service.app.get(PetImport).run(records(), {
      refused: ({ record, problems }) => void refused.set(record, problems),
      progressed: () => {},
    });
    for (const [i, input] of INPUTS.entries()) {
      const { status, json } = await service.client.post('/v1/pets', input);
      const { details = [] } = json as { details?: { field: string }[] };
      const problems = refused.get(i + 1) ?? [];
      expect([input, problems.map((problem) => ({ ...problem, field: `/${problem.field}` }))]).toEqual([
        input,
        details,
      ]);
      expect(status).toBe(refused.has(i + 1) ? 400 : 201);
    }
  });
});
