import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_PET_NAME } from '../../src/pets/domain/new-pet.js';
import { writeJson } from '../../src/platform/json/write-json.js';
import { onEveryEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';
import { anyText } from '../support/any-text.js';

/** Any sequence of code units, including lone surrogates and control characters, and likely names. */
const name = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
  anyText({ maxLength: 300 }),
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    ' ',
    'Rex ',
    "Robert'); DROP TABLE pets;--",
    '\\',
    '%',
    '🐶'.repeat(MAX_PET_NAME),
    '🐶'.repeat(MAX_PET_NAME + 1),
  ),
);
const categoryId = fc.oneof(
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
  fc.bigInt({ min: 2n ** 63n - 2n, max: 2n ** 63n + 2n }),
  fc.integer(),
  fc.double(),
  fc.string(),
);
const status = fc.oneof(fc.constantFrom('available', 'pending', 'sold'), fc.string(), fc.constant(null));
const newPet = fc.oneof(
  { weight: 3, arbitrary: fc.record({ name, categoryId, status }, { requiredKeys: [] }) },
  {
    weight: 3,
    arbitrary: fc.record({ name, categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) }),
  },
  { weight: 1, arbitrary: fc.dictionary(fc.string(), fc.jsonValue()) },
);

/** `JSON.stringify` writes a lone surrogate as an escape, which keeps the text well-formed on the wire. */
const json = (value: object) => writeJson(value);

describe('any new pet', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine)));
    afterAll(() => service.stop());

    it('is returned byte for byte after it is accepted, and changes nothing when it is rejected with 400', () =>
      fc.assert(
        fc.asyncProperty(newPet, async (sent) => {
          const before = (await service.client.get('/v1/pets?limit=1')).text;
          const answer = await service.client.post('/v1/pets', json(sent));
          const newest = (await service.client.get('/v1/pets?limit=1')).text;
          if (answer.status === 400) {
            expect(newest).toBe(before);
            return;
          }
          expect(answer.status).toBe(201);
          const { id } = answer.json as { id: number };
          const { name, categoryId, status = 'available' } = sent as Record<string, unknown>;
          // The digits are compared as text, because a large double does not keep all of them.
          expect(answer.text).toBe(json({ id, name, categoryId: BigInt(String(categoryId)), status }));
          expect(newest).toBe(`[${answer.text}]`);
        }),
        { numRuns: 75 },
      ));
  }));
