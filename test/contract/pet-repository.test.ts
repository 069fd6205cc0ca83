import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Page, Properties } from '../../src/kernel/index.js';
import { PetAdded } from '../../src/pets/domain/pet-events.js';
import { PetNotAvailable, PetNotFound } from '../../src/pets/domain/pet-errors.js';
import { MAX_PET_NAME } from '../../src/pets/domain/new-pet.js';
import { Pet } from '../../src/pets/domain/pet.js';
import { batchedPetAdapters, petAdapters, type Pets } from '../support/databases/pet-adapters.js';
import { loaded } from '../support/loaded.js';
import { overEveryAdapter, type Store } from '../support/stores.js';

/** The optional properties are required too, so that no new property is forgotten. */
const rex: Required<Properties<Pet>> = {
  id: 11n,
  name: 'Rex',
  categoryId: 7n,
  status: 'available',
};
const pet = (props: Partial<Properties<Pet>> = {}) => loaded(Pet, { ...rex, ...props });

describe.each([
  ['the storage of pets', petAdapters],
  ['the storage of pets, many at a time', batchedPetAdapters],
])('%s', (_, adapters) =>
  overEveryAdapter({ ...adapters, module: 'pets' }, (open) => {
    let store: Store<Pets>;
    beforeEach(async () => (store = await open()));
    afterEach(() => store.close());

    const fill = async (...props: Partial<Properties<Pet>>[]) => {
      for (const fact of props) await store.pets.add(pet(fact));
    };
    const idsOf = ({ items }: Page<Pet>) => items.map(({ id }) => id);

    it('returns a pet as it was added, each property in its place', async () => {
      await fill(rex);
      expect(await store.pets.find(11n)).toEqual(pet());
      expect(await store.pets.find(404n)).toBeUndefined();
    });

    it.each<[string, Partial<Properties<Pet>>]>([
      ['the largest category', { categoryId: 2n ** 63n - 1n }],
      ['the smallest category', { categoryId: -(2n ** 63n) }],
      ['a category beyond 2^53', { categoryId: 2n ** 53n + 1n }],
      ['the largest id', { id: 2n ** 63n - 1n }],
      ['the longest name', { name: '🐶'.repeat(MAX_PET_NAME) }],
      ['spaces at both ends', { name: '  Rex \u00a0' }],
      ['quotes, backslashes and percent signs', { name: `'"\`\\%_;--\\'` }],
      ['decomposed letters', { name: 'u\u0308' }],
    ])('keeps %s exactly', async (_, props) => {
      await fill(props);
      expect(await store.pets.find(props.id ?? rex.id)).toEqual(pet(props));
    });

    it('does not store two pets under one id', async () => {
      await fill(rex);
      await expect(store.pets.add(pet({ name: 'Twin' }))).rejects.toThrow();
      expect(await store.pets.find(11n)).toEqual(pet());
    });

    it('adds many pets at once, or none of them', async () => {
      await store.pets.addAll([pet({ id: 2n }), pet({ id: 3n })]);
      await expect(store.pets.addAll([pet({ id: 4n }), pet({ id: 3n })])).rejects.toThrow();
      await store.pets.addAll([]);
      expect(idsOf(await store.pets.list({ limit: 10 }))).toEqual([3n, 2n]);
    });

    it('records the events of a pet together with the pet, or neither', async () => {
      const heard: unknown[] = [];
      store.outbox.events.subscribe(PetAdded, 'listener', async ({ id }) => void heard.push(id));
      const ids = Array.from({ length: 20 }, (_, i) => BigInt(i + 1));
      const added = [1n, ...ids].map((id) =>
        store.outbox.events.record(PetAdded, async () => {
          await store.pets.add(pet({ id }));
          return { id, name: rex.name, categoryId: rex.categoryId, status: rex.status };
        }),
      );
      const outcomes = await Promise.allSettled(added);
      expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(20);
      await store.outbox.deliver();
      expect(heard.toSorted()).toEqual(ids.toSorted());
      expect((await store.pets.list({ limit: 30 })).items).toHaveLength(20);
    });

    it('lists the newest first, of one status or all, and continues after a given pet', async () => {
      expect(await store.pets.list({ limit: 10 })).toEqual({ items: [] });
      await fill({ id: 2n }, { id: 9n, status: 'sold' }, { id: 5n }, { id: 7n, status: 'sold' });
      const list = async (selection: object) => idsOf(await store.pets.list({ limit: 2, ...selection }));
      expect(await list({ limit: 10 })).toEqual([9n, 7n, 5n, 2n]);
      expect(await list({ filter: { status: 'sold' } })).toEqual([9n, 7n]);
      expect(await list({ after: { id: 9n } })).toEqual([7n, 5n]);
      expect(await list({ filter: { status: 'available' }, after: { id: 5n } })).toEqual([2n]);
    });

    it('lists the pets of some ids, newest first, of one status or all, and continues after a given pet', async () => {
      await fill({ id: 1n }, { id: 2n }, { id: 3n, status: 'sold' }, { id: 4n });
      const id = [2n, 404n, 4n, 3n, 2n];
      expect(idsOf(await store.pets.list({ filter: { id }, limit: 2 }))).toEqual([4n, 3n]);
      expect(idsOf(await store.pets.list({ filter: { id }, after: { id: 3n }, limit: 2 }))).toEqual([2n]);
      const filter = { id, status: 'sold' as const };
      expect(idsOf(await store.pets.list({ filter, limit: 2 }))).toEqual([3n]);
    });

    it('has no pets after the lowest id', async () => {
      await fill({ id: 1n }, { id: 2n });
      for (const id of [1n, 0n, -1n, -(2n ** 63n)])
        for (const filter of [{}, { status: 'available' } as const])
          expect(await store.pets.list({ filter, after: { id }, limit: 10 })).toEqual({ items: [] });
    });

    it('lists pets as they were added, also to several callers at once', async () => {
      const [older, newer] = [pet({ id: 1n }), pet({ id: 2n, name: 'Twin', status: 'sold' })];
      for (const added of [older, newer]) await store.pets.add(added);
      const pages = await Promise.all([1, 2, 3, 4].map(() => store.pets.list({ limit: 10 })));
      expect(pages).toEqual(pages.map(() => ({ items: [newer, older] })));
    });

    it('returns correct results although other callers send invalid values at the same time', async () => {
      const beyond = 2n ** 63n;
      const good = [21n, 22n, 23n];
      const [bad, ...added] = await Promise.allSettled(
        [{ id: 20n, categoryId: beyond }, ...good.map((id) => ({ id }))].map((facts) =>
          store.pets.add(pet(facts)),
        ),
      );
      expect(added).toEqual(good.map(() => ({ status: 'fulfilled', value: undefined })));
      const spoiled = bad!.status === 'rejected' ? good : [20n, ...good];
      const found = await Promise.allSettled([beyond, ...good].map((id) => store.pets.find(id)));
      expect(found.slice(1)).toEqual(good.map((id) => ({ status: 'fulfilled', value: pet({ id }) })));
      const pages = await Promise.allSettled(
        [10n ** 40n, 24n, 24n, 24n].map((id, i) => store.pets.list({ after: { id }, limit: 9 + i })),
      );
      expect(pages.slice(1).map((page) => page.status === 'fulfilled' && idsOf(page.value))).toEqual(
        [1, 2, 3].map(() => spoiled.toReversed()),
      );
    });

    it('lists only pets with every requested property, also one that no list of the API filters by', async () => {
      await fill(
        { id: 1n, categoryId: 7n },
        { id: 2n, categoryId: 8n },
        { id: 3n, categoryId: 7n, status: 'sold' },
      );
      const ids = async (filter: object) => idsOf(await store.pets.list({ filter, limit: 10 }));
      expect(await ids({ categoryId: 7n })).toEqual([3n, 1n]);
      expect(await ids({ categoryId: 7n, status: 'sold' })).toEqual([3n]);
      expect(await ids({ categoryId: undefined, status: undefined })).toEqual([3n, 2n, 1n]);
    });

    it('leaves a pet unchanged when the change is rejected, and reports a pet that does not exist', async () => {
      await fill({ ...rex, status: 'sold' });
      await expect(store.pets.change(11n, (found) => found.reserve())).rejects.toThrow(PetNotAvailable);
      expect(await store.pets.find(11n)).toEqual(pet({ status: 'sold' }));
      await expect(store.pets.change(404n, (found) => found)).rejects.toThrow(PetNotFound);
    });

    it.each([false, true])(
      'lets one of fifty callers reserve a pet at once, in units of work: %s',
      async (inUnits) => {
        await fill(rex);
        const reserve = () => store.pets.change(11n, (found) => found.reserve());
        const rivals = Array.from({ length: 50 }, () => (inUnits ? store.units.run(reserve) : reserve()));
        const outcomes = await Promise.allSettled(rivals);
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(PetNotAvailable);
        }
        expect(await store.pets.find(11n)).toEqual(pet({ status: 'pending' }));
      },
    );

    it('keeps a locked pet unchanged until the unit of work ends', async () => {
      expect(await store.units.run(() => store.pets.lock(404n))).toBeUndefined();
      await fill(rex);
      let isDone = false;
      const others = (async () => {
        while (!isDone) {
          await store.pets.change(11n, (found) => found.reserve());
          await store.pets.change(11n, (found) => found.release());
        }
      })();
      for (let i = 0; i < 20; i++) {
        await store.units.run(async () => {
          const locked = await store.pets.lock(11n);
          for (let j = 0; j < 5; j++) expect(await store.pets.find(11n)).toEqual(locked);
        });
      }
      isDone = true;
      await others;
      expect(await store.pets.find(11n)).toEqual(pet());
    });
  }),
);
