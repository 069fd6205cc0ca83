import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Pet } from '../../src/pets/domain/pet.js';
import { petAdapters, type Pets } from '../support/databases/pet-adapters.js';
import { loaded } from '../support/loaded.js';
import { overEveryAdapter, type Store } from '../support/stores.js';

const pet = (id: bigint) => loaded(Pet, { id, name: `Pet ${id}`, categoryId: 7n, status: 'available' });
const regret = new Error('changed my mind');

describe('a unit of work', () =>
  overEveryAdapter(petAdapters, (open) => {
    let store: Store<Pets>;
    beforeEach(async () => (store = await open()));
    afterEach(() => store.close());

    it('stores all of its steps and returns its result', async () => {
      const result = await store.units.run(async () => {
        await store.pets.add(pet(1n));
        await store.pets.add(pet(2n));
        return 'done';
      });
      expect(result).toBe('done');
      expect(await store.pets.list({ limit: 9 })).toEqual({ items: [pet(2n), pet(1n)] });
    });

    it('sees its own steps, and stores none of them when it fails', async () => {
      await store.pets.add(pet(1n));
      const unit = store.units.run(async () => {
        await store.pets.add(pet(2n));
        for (const id of [1n, 2n]) await store.pets.change(id, (found) => found.sell());
        throw regret;
      });
      await expect(unit).rejects.toBe(regret);
      expect(await store.pets.list({ limit: 9 })).toEqual({ items: [pet(1n)] });
    });

    it('becomes part of the unit of work in which it begins', async () => {
      const outer = store.units.run(async () => {
        await store.units.run(() => store.pets.add(pet(1n)));
        throw regret;
      });
      await expect(outer).rejects.toBe(regret);
      expect(await store.pets.find(1n)).toBeUndefined();
    });

    it('does not show its changes to others before they are stored', async () => {
      let goOn = () => {};
      const signal = new Promise<void>((resolve) => (goOn = resolve));
      let added = () => {};
      const inTheMiddle = new Promise<void>((resolve) => (added = resolve));
      const unit = store.units.run(async () => {
        await store.pets.add(pet(1n));
        added();
        await signal;
        throw regret;
      });
      await inTheMiddle;
      const seenByOthers = store.pets.find(1n);
      goOn();
      await expect(unit).rejects.toBe(regret);
      expect(await seenByOthers).toBeUndefined();
    });

    it('rolls back only its own changes when it fails, whatever runs at the same time', async () => {
      for (let round = 0n; round < 20n; round++) {
        const ids = Array.from({ length: 10 }, (_, i) => round * 10n + BigInt(i) + 1n);
        const outcomes = await Promise.allSettled(
          ids.map((id) =>
            id % 2n === 0n
              ? store.pets.add(pet(id))
              : store.units.run(async () => {
                  await store.pets.add(pet(id));
                  throw regret;
                }),
          ),
        );
        expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(ids.map((id) => id % 2n === 0n));
      }
      const { items } = await store.pets.list({ limit: 1_000 });
      expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, i) => BigInt(200 - 2 * i)));
    });
  }));
