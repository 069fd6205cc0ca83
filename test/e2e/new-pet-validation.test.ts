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
  '{"name":"Rex","categoryId":7,"id":1,"stauts":"sold"}',
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
  ])('rejects %j and names every problem', async (body, expected) => {
    const refused = await problems(body);
    expect(refused).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(refused.details?.sort()).toEqual(expected.sort());
  });

  it.each<[string, string, string]>([
    ['more values than are allowed', `{"name":[${'1,'.repeat(19_998)}1]}`, 'it has more than 20000 values'],
    ['a member named prototype', '{"name":{"prototype":1}}', 'it has a member named prototype'],
  ])('rejects a body with %s, and says what is wrong', async (_, body, reason) => {
    const answer = await service.client.post('/v1/pets', body);
    expect([answer.status, answer.json]).toEqual([
      400,
      { code: 'invalid_json', message: `The body is not acceptable JSON: ${reason}.`, status: 400 },
    ]);
  });

  it('reads a gzipped body', async () => {
    const body = gzipSync(JSON.stringify(rex));
    const answer = await service.client.post('/v1/pets', body, { headers: { 'Content-Encoding': 'gzip' } });
    expect(answer.status).toBe(201);
  });

  it('accepts and rejects the same pets as an import, for the same reasons', async () => {
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
