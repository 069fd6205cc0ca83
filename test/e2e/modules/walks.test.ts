import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../../src/access/index.js';
import { Metrics } from '../../../src/platform/observability/index.js';
import { existing, onEveryEngine, sqlite, type TestDatabase } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';
import { WalksModule } from '../../support/walks/walks.module.js';

const RIVALS = 20;
const ROUNDS = 5;
const NOON = Date.UTC(2026, 10, 20, 12);
const at = (minutes: number) => new Date(NOON + minutes * 60_000).toISOString();

describe('walks of pets', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let replicas: [Service, Service];
    beforeAll(async () => {
      database = await engine.create();
      // Rivals wait for each other: on a slow machine longer than a request may take.
      const options = { samples: [WalksModule] };
      const one = await startService(existing(database), options);
      replicas = [one, await startService(existing(database), { ...options, beside: one })];
    });
    afterAll(async () => {
      for (const replica of replicas.toReversed()) await replica.stop();
      await database.drop();
    });

    let petId: number;
    const addPet = async () => {
      const { json } = await replicas[0].client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
      return (json as { id: number }).id;
    };
    beforeEach(async () => void (petId = await addPet()));

    const walk = (minutes: number, { of = petId, on = replicas[0], walker = 'Ada' } = {}) =>
      on.client.post('/v1/walks', { petId: of, walker, beginsAt: at(minutes), minutes: 30 });
    const codeOf = ({ json }: { json: unknown }) => (json as { code?: string }).code;

    // Without the lock most rounds have one winner as well, but never all of them. SQLite runs one unit at a time.
    it('of twenty that overlap, through two replicas, one takes place', async () => {
      for (let round = 0; round < (engine === sqlite ? 1 : ROUNDS); round++) {
        const of = await addPet();
        const asked = Array.from({ length: RIVALS }, (_, i) => walk(i, { of, on: replicas[i % 2]! }));
        const codes = (await Promise.all(asked)).map((answer) => codeOf(answer) ?? 'taken');
        expect(codes.toSorted()).toEqual([...Array<string>(RIVALS - 1).fill('overlapping_walk'), 'taken']);
      }
    });

    it('may follow each other, and are no concern of another pet', async () => {
      const other = await addPet();
      const answers = [await walk(0), await walk(30), await walk(-30), await walk(15, { of: other })];
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(codeOf(await walk(29))).toBe('overlapping_walk');
      expect(codeOf(await walk(-1))).toBe('overlapping_walk');
    });

    it('are counted when they are stored, and not when they are refused', async () => {
      const { registry } = replicas[0].app.get(Metrics);
      const counted = async () => {
        const [sample] = (await registry.getSingleMetric('petstore_walks_added_total')!.get()).values;
        return sample!.value;
      };
      const before = await counted();
      for (const minutes of [0, 15, 30]) await walk(minutes);
      expect(await counted()).toBe(before + 2);
    });

    it('are of pets that exist', async () => {
      expect(codeOf(await walk(0, { of: 404_404 }))).toBe('walk_without_pet');
    });

    it('of a day are told with their walkers to those who may know, in brief, and not for a day that is none', async () => {
      await database.execute('DELETE FROM walks');
      await walk(0);
      const ofDay = async (client = replicas[0].client, more = '') =>
        (await client.get(`/v1/walks/day?day=2026-11-20${more}`)).json;
      const told = { petId, beginsAt: at(0), endsAt: at(30) };
      expect(await ofDay()).toMatchObject({ count: 1, walks: [{ ...told, walker: 'Ada' }] });
      expect(await ofDay(replicas[0].client, '&isBrief=true')).toEqual({ count: 1 });

      const refused = await replicas[0].client.get('/v1/walks/day?day=2026-02-30&isBrief=yes');
      const { details } = refused.json as { details: { field: string }[] };
      expect(details.map(({ field }) => field)).toEqual(['query.day', 'query.isBrief']);

      const keys = replicas[0].app.get(ApiKeyService);
      const { secret } = await keys.issue({ name: 'kiosk', scopes: ['walks:read'] }, 'test', 'tester');
      const kiosk = replicas[0].stranger.with({ Authorization: `Bearer ${secret}` });
      const { walks } = (await ofDay(kiosk)) as { walks: object[] };
      expect(walks).toMatchObject([told]);
      expect(walks[0]).not.toHaveProperty('walker');
    });
  }));
