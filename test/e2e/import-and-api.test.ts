import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PetImport, type RefusedRecord } from '../../src/pet-files/application/pet-import.js';
import { parseJson } from '../../src/platform/json/parse-json.js';
import { sqlite } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

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

describe('an import', () => {
  let service: Service;
  beforeAll(async () => (service = await startService(sqlite)));
  afterAll(() => service.stop());

  /** @returns the problems of each refused record, by its number */
  const importAll = async (texts: string[]) => {
    const refused = new Map<number, RefusedRecord['problems']>();
    async function* all() {
      for (const text of texts) yield { data: parseJson(Buffer.from(text)) as object };
    }
    await service.app.get(PetImport).run(all(), {
      refused: ({ record, problems }) => void refused.set(record, problems),
      progressed: () => {},
    });
    return refused;
  };

  it('admits and refuses just what the API does, for the same reasons', async () => {
    const refused = await importAll(INPUTS);
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
