import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Pet } from '../../src/pets/domain/pet.js';
import { DuplicateKey } from '../../src/platform/database/index.js';
import { batchedPetAdapters, petAdapters, type Pets } from '../support/databases/pet-adapters.js';
import { SlowProxy } from '../support/databases/slow-proxy.js';
import { mariaDb, onEveryEngine, onMySqlToo, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { openTypeOrm, type Store } from '../support/stores.js';

/** In ms: longer than any test. */
const FOR_EVER = 600_000;

const pet = (id: bigint, name = 'Rex') => Pet.restore({ id, name, categoryId: 7n, status: 'available' });

describe.each([
  ['a pet', petAdapters],
  ['pets, many at a time,', batchedPetAdapters],
])('%s', (_, adapters) => {
  const openDatabase = async (url: string) => openTypeOrm<Pets>(url, adapters);

  onMySqlToo((engine) => {
    let database: TestDatabase;
    let stores: Store<Pets>[];
    beforeEach(async () => {
      database = await engine.create();
      stores = [await openDatabase(database.url), await openDatabase(database.url)];
    });
    afterEach(async () => {
      await Promise.all(stores.map((store) => store.close()));
      await database.drop();
    });

    it('of one id is added by one of several callers, even if all add the same', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, caller) => stores[caller % 2]!.pets.add(pet(1n))),
      );
      const rejected = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(rejected).toEqual(Array.from({ length: 19 }, () => expect.any(DuplicateKey) as Error));
    });

    it('is rejected alone if an equal one exists', async () => {
      await stores[0]!.pets.add(pet(2n));
      const outcomes = await Promise.allSettled([1n, 2n, 3n].map((id) => stores[1]!.pets.add(pet(id))));
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    });
  });

  // The error of a connection that ends is mysql2's, so it does not depend on the server.
  onEveryEngine(
    (engine) => {
      let database: TestDatabase;
      let proxy: SlowProxy;
      let store: Store<Pets>;
      let delay = 0;
      beforeEach(async () => {
        delay = 0;
        database = await engine.create();
        const { port, pathname } = new URL(database.url);
        proxy = await SlowProxy.before(Number(port), () => delay);
        store = await openDatabase(`mysql://root:@127.0.0.1:${proxy.port}${pathname}`);
      });
      afterEach(async () => {
        await store.close();
        await proxy.close();
        await database.drop();
      });

      /** Cuts the connections that wait for an answer as soon as the database has stored so many pets. */
      const loseAnswers = async (stored: number) => {
        await eventually(async () => {
          const [row] = await database.query('SELECT COUNT(*) AS stored FROM pets');
          return Number(row!['stored']) === stored;
        }, 60_000);
        delay = 0;
        proxy.cut();
      };

      it('is added if only the answer of the first try was lost', async () => {
        // A delay would keep connections from opening, and from setting their session variables after a first statement.
        for (let round = 0; round < 2; round++)
          await Promise.all([1n, 2n, 3n].map((id) => store.pets.find(id)));
        delay = FOR_EVER;
        const added = Promise.all([1n, 2n, 3n].map((id) => store.pets.add(pet(id))));
        await loseAnswers(3);
        await added;
        expect(await store.pets.find(2n)).toEqual(pet(2n));
      });
    },
    [mariaDb],
  );
});
