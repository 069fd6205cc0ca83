import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linked } from '../support/api-client.js';
import { onEveryEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

/** How many sequences are sent; `npm run test:fuzz` sends many more. */
const RUNS = Number(process.env['FUZZ_SEQUENCES'] ?? 15);

interface Pet {
  readonly id: number;
  readonly status: string;
}

const status = fc.constantFrom(undefined, 'available', 'pending', 'sold');
const limit = fc.integer({ min: 1, max: 100 });
const deeds = fc.array(
  fc.oneof(
    fc.record({ deed: fc.constant('add' as const), status }),
    fc.record({ deed: fc.constant('fetch' as const), index: fc.nat() }),
    fc.record({ deed: fc.constant('page' as const), status, limit }),
  ),
  { minLength: 1, maxLength: 12 },
);

describe('the shop', () =>
  onEveryEngine((engine) => {
    let service: Service;
    /** All pets as they should be stored, the newest first. */
    const pets: Pet[] = [];
    beforeAll(async () => (service = await startService(engine)));
    afterAll(() => service.stop());
    const read = async (path: string) => (await service.client.get(path)).json;

    /** A new pet is the first of the list. */
    async function add(word?: string): Promise<void> {
      const answer = await service.client.post('/v1/pets', { name: 'Rex', categoryId: 7, status: word });
      expect(answer.status).toBe(201);
      pets.unshift(answer.json as unknown as Pet);
      expect(await read('/v1/pets?limit=1')).toEqual([pets[0]]);
    }

    /** The pages of a list have each of the latest pets once, newest first. */
    async function turnPages(size: number, word?: string): Promise<void> {
      const expected = pets.slice(0, 300).filter((pet) => word === undefined || pet.status === word);
      const seen: unknown[] = [];
      let page: string | undefined = `/v1/pets?limit=${size}${word ? `&status=${word}` : ''}`;
      while (page && seen.length < expected.length) {
        const answer = await service.client.get(page);
        expect((answer.json as unknown[]).length).toBeLessThanOrEqual(size);
        seen.push(...(answer.json as unknown[]));
        page = linked(answer, 'next');
      }
      expect(seen.slice(0, expected.length)).toEqual(expected);
    }

    it('returns the results of all earlier requests, in whatever order they were sent', () =>
      fc.assert(
        fc.asyncProperty(deeds, async (sequence) => {
          for (const one of sequence) {
            if (one.deed === 'add') await add(one.status);
            else if (one.deed === 'page') await turnPages(one.limit, one.status);
            else if (pets.length > 0) {
              const pet = pets[one.index % pets.length]!;
              expect(await read(`/v1/pets/${pet.id}`)).toEqual(pet);
            }
          }
        }),
        { numRuns: RUNS },
      ));
  }));
