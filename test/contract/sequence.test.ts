import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PetsModule } from '../../src/pets/index.js';
import { migrationsOfModule } from '../../src/platform/database/index.js';
import { mariaDb, mySql } from '../support/engines.js';
import { TypeOrmSequence } from '../support/rooms/database.js';
import { openSource, overEveryAdapter, type Store } from '../support/stores.js';

const adapters = {
  migrations: migrationsOfModule(PetsModule),
  schemas: [],
  inMemory: () => ({}),
  inTypeOrm: () => ({}),
};

describe('a sequence of ids', () =>
  overEveryAdapter(adapters, (open) => {
    let store: Store<object>;
    beforeEach(async () => (store = await open()));
    afterEach(() => store.close());

    it('never gives an id twice, to several replicas that request ids at once', async () => {
      const replicas = [store.sequence('pets'), store.sequence('pets'), store.sequence('pets')];
      const ids = await Promise.all(Array.from({ length: 3_000 }, (_, i) => replicas[i % 3]!.next()));
      expect(new Set(ids).size).toBe(3_000);
    });

    it('gives ids inside units of work, some of which fail', async () => {
      const ids = store.sequence('pets');
      const outcomes = await Promise.allSettled(
        Array.from({ length: 100 }, (_, i) =>
          store.units.run(async () => {
            const id = await ids.next();
            if (i % 3 === 0) throw new Error('changed my mind');
            return id;
          }),
        ),
      );
      const kept = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      const later = await Promise.all(Array.from({ length: 200 }, () => ids.next()));
      expect(new Set([...kept, ...later]).size).toBe(kept.length + later.length);
    });

    it('gives growing ids to a caller inside and outside units of work', async () => {
      for (let replica = 0; replica < 50; replica++) {
        const ids = store.sequence('pets');
        const given: bigint[] = [];
        for (let i = 0; i < 4; i++) given.push(await store.units.run(() => ids.next()), await ids.next());
        expect(given).toEqual(given.toSorted((a, b) => (a < b ? -1 : 1)));
      }
    });

    it('gives growing ids to a caller in a unit of work while another caller waits for a block', async () => {
      for (let replica = 0; replica < 50; replica++) {
        const ids = store.sequence('pets');
        const waiting = ids.next();
        const inUnit = await store.units.run(() => ids.next());
        expect(await ids.next()).toBeGreaterThan(inUnit);
        await waiting;
      }
    });

    it('gives many ids at once, which grow and of which no other caller gets one', async () => {
      for (const count of [0, 1, 999, 1_500]) {
        const [one, other] = [store.sequence('pets'), store.sequence('pets')];
        const given: bigint[] = [];
        const inUnit = () => store.units.run(() => one.nextMany(count));
        for (const many of [inUnit, () => one.nextMany(count), inUnit, inUnit]) {
          const [ids, id] = await Promise.all([many(), other.next()]);
          expect(ids).toHaveLength(count);
          expect(ids).not.toContain(id);
          given.push(...ids, await one.next());
        }
        expect(given).toEqual([...new Set(given)].toSorted((a, b) => (a < b ? -1 : 1)));
      }
    });

    it('gives ids outside of units of work while many units of work run', async ({ onTestFinished }) => {
      const ids = store.sequence('pets');
      let isServed = false;
      onTestFinished(() => void (isServed = true));
      const unitAfterUnit = async () => {
        for (; !isServed; await setImmediate()) await store.units.run(() => ids.next());
      };
      const stream = Array.from({ length: 10 }, unitAfterUnit);
      expect(await ids.next()).toBeGreaterThan(0n);
      // Needs the second block of ids as well: the first may have been reserved before the units started.
      for (let i = 0; i < 1_100; i++) await ids.next();
      isServed = true;
      await Promise.all(stream);
    });

    it('leaves at most a block of ids unused when a replica ends', async () => {
      for (let restart = 0; restart < 3; restart++) await store.sequence('pets').next();
      expect(await store.sequence('pets').next()).toBeLessThanOrEqual(3_001n);
    });
  }));

describe.each([mariaDb, mySql])('on $name, a unit of work that takes many ids', (engine) => {
  it.skipIf(!engine.installed)('reserves them by one statement', async () => {
    const database = await engine.create();
    const source = await openSource(database.url, adapters);
    const ids = new TypeOrmSequence('pets', source);
    const updates = async () => {
      const [counter] = await source.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Com_update'");
      return Number(counter!.Value);
    };
    const sent = await source.run(async () => {
      const before = await updates();
      await ids.nextMany(5_000);
      return (await updates()) - before;
    });
    expect(sent).toBe(1);
    await source.destroy();
    await database.drop();
  });
});
