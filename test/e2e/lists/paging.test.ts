import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linked } from '../../support/api-client.js';
import { onEveryEngine } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

/** Thirty pages. That no page has a hole under faults is what `test/faults/history` checks. */
const ANIMALS = 210;
const CLIENTS = 32;

describe('hundreds of pets', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => void (service = await startService(engine)));
    afterAll(() => service.stop());

    const add = async (name: string): Promise<number> => {
      const { json } = await service.client.post('/v1/pets', { name, categoryId: 7 });
      return (json as { id: number }).id;
    };

    it('that 32 clients add are each listed exactly once on pages of seven, while others add more', async () => {
      const ids: number[] = [];
      let begun = 0;
      const client = async () => {
        while (begun++ < ANIMALS) ids.push(await add('Animal'));
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));

      const seen: number[] = [];
      let adding = true;
      const others = (async () => {
        while (adding) await add('Newcomer');
      })();
      for (let page: string | undefined = '/v1/pets?limit=7'; page;) {
        const answer = await service.client.get(page);
        for (const { id, name } of answer.json as { id: number; name: string }[])
          if (name === 'Animal') seen.push(id);
        page = linked(answer, 'next');
      }
      adding = false;
      await others;
      expect(seen).toHaveLength(ANIMALS);
      expect(seen).toEqual(ids.toSorted((a, b) => b - a));
    });
  }));
