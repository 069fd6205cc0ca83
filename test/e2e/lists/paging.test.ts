import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linked } from '../../support/api-client.js';
import { existing, onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { petstore } from '../../support/petstore.js';
import { type Service, startService } from '../../support/service.js';

/** Nearly three hundred pages. That no page has a hole under faults is what `test/faults/history` checks. */
const ANIMALS = 2_000;
/** The number of pets that concurrent clients add; importing the others first takes a tenth of the time. */
const FROM_CLIENTS = 500;
const CLIENTS = 32;

describe('thousands of pets', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let service: Service;
    beforeAll(async () => {
      database = await engine.create();
      service = await startService(existing(database));
    });
    afterAll(async () => {
      await service.stop();
      await database.drop();
    });

    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS + 1 });
    afterAll(() => agent.destroy());

    /** Without the test client, which would take three times as long. @returns the id of the pet */
    const add = async (pet: object): Promise<number> => {
      const headers = { Authorization: `Bearer ${service.secret}`, 'Content-Type': 'application/json' };
      const options = { port: service.port, path: '/v1/pets', method: 'POST', agent, headers };
      const sent = request(options).end(JSON.stringify(pet));
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const body = await text(answer);
      expect(answer.statusCode, body).toBe(201);
      return (JSON.parse(body) as { id: number }).id;
    };
    /** Each client adds one pet after the other until there are enough. */
    const addAtOnce = async (count: number, label: string): Promise<number[]> => {
      const ids: number[] = [];
      let begun = 0;
      const client = async () => {
        while (begun < count) ids.push(await add({ name: `${label} ${begun++}`, categoryId: 7 }));
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      return ids;
    };

    const importOthers = async (count: number) => {
      const lines = Array.from({ length: count }, (_, i) => `{"name":"Imported ${i}","categoryId":7}\n`);
      const environment = { DATABASE_URL: database.url };
      const { code, output } = await petstore(
        ['pets', 'import', '-', '--format', 'ndjson'],
        environment,
        lines.join(''),
      );
      expect(code, output).toBe(0);
      const rows = await database.query('SELECT id FROM pets');
      return rows.map(({ id }) => Number(id));
    };

    it('added by 32 clients are each seen exactly once on the pages of seven, while others add more', async () => {
      const ids = await importOthers(ANIMALS - FROM_CLIENTS);
      ids.push(...(await addAtOnce(FROM_CLIENTS, 'Animal')));
      expect(new Set(ids).size).toBe(ids.length);

      const seen: number[] = [];
      let adding = true;
      const others = (async () => {
        while (adding) await add({ name: 'Newcomer', categoryId: 8 });
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
