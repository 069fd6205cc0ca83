import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linked } from '../support/api-client.js';
import { onEveryEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

const ANIMALS = 10_000;
const CLIENTS = 32;

describe('ten thousand animals', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine)));
    afterAll(() => service.stop());

    /** Each client adds one animal after the other until there are enough. */
    const addAtOnce = async (count: number, label: string): Promise<number[]> => {
      const ids: number[] = [];
      let begun = 0;
      const client = async () => {
        while (begun < count) {
          const answer = await service.client.post('/v1/pets', {
            name: `${label} ${begun++}`,
            categoryId: 7,
          });
          expect(answer.status).toBe(201);
          ids.push((answer.json as { id: number }).id);
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      return ids;
    };

    it('added by 32 clients are each seen exactly once on the pages of seven, while others add more', async () => {
      const ids = await addAtOnce(ANIMALS, 'Animal');
      expect(new Set(ids).size).toBe(ids.length);

      const seen: number[] = [];
      let adding = true;
      const others = (async () => {
        while (adding) await service.client.post('/v1/pets', { name: 'Newcomer', categoryId: 8 });
      })();
      for (let page: string | undefined = '/v1/pets?limit=7'; page;) {
        const answer = await service.client.get(page);
        for (const { id, name } of answer.json as { id: number; name: string }[]) {
          if (name !== 'Newcomer') seen.push(id);
        }
        page = linked(answer, 'next');
      }
      adding = false;
      await others;

      expect(seen).toHaveLength(ids.length);
      expect(new Set(seen)).toEqual(new Set(ids));
      expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    });
  }));
