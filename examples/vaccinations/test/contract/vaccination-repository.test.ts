import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Page, Properties } from '../../src/kernel/index.js';
import { MemoryVaccinationRepository } from '../support/memory/memory-vaccination-repository.js';
import { VaccinationsModule } from '../../src/vaccinations/index.js';
import { migrationsOfModule } from '../../src/platform/database/index.js';
import { VaccinationSchema } from '../../src/vaccinations/adapters/typeorm/vaccination.schema.js';
import { TypeOrmVaccinationRepository } from '../../src/vaccinations/adapters/typeorm/typeorm-vaccination-repository.js';
import { VaccinationNotFound } from '../../src/vaccinations/domain/vaccination-errors.js';
import { MAX_VACCINATION_VACCINE } from '../../src/vaccinations/domain/new-vaccination.js';
import { Vaccination } from '../../src/vaccinations/domain/vaccination.js';
import type { VaccinationRepository } from '../../src/vaccinations/ports/vaccination-repository.js';
import { aVaccination, aNewVaccination } from '../support/vaccination-builder.js';
import { type Adapters, overEveryAdapter, type Store } from '../support/stores.js';

type Vaccinations = { vaccinations: VaccinationRepository };
const adapters: Adapters<Vaccinations> = {
  module: 'vaccinations',
  migrations: migrationsOfModule(VaccinationsModule),
  schemas: [VaccinationSchema],
  inMemory: (units) => ({ vaccinations: new MemoryVaccinationRepository(units) }),
  inTypeOrm: (source) => ({
    vaccinations: new TypeOrmVaccinationRepository(source.getRepository(Vaccination), source),
  }),
};

describe('the storage of vaccinations', () =>
  overEveryAdapter(adapters, (open) => {
    let store: Store<Vaccinations>;
    beforeEach(async () => (store = await open()));
    afterEach(() => store.close());

    /** Adds vaccinations, one after the other. */
    const fill = async (...given: Partial<Properties<Vaccination>>[]) => {
      const added = given.map((more) => aVaccination(more));
      for (const vaccination of added) await store.vaccinations.add(vaccination);
      return added as [Vaccination, Vaccination, Vaccination];
    };
    const idsOf = ({ items }: Page<Vaccination>) => items.map(({ id }) => id);

    it.each<[string, Partial<Properties<Vaccination>>]>([
      ['each property', {}],
      ['the largest id', { id: 2n ** 63n - 1n }],
      ['no dueAt', { dueAt: undefined }],
      ['a reminder', { remindedAt: new Date('2026-11-20T06:00:00.001Z') }],
      ['the longest vaccine', { vaccine: '🏠'.repeat(MAX_VACCINATION_VACCINE) }],
      [
        'a vaccine with quotes, backslashes and decomposed letters',
        { vaccine: `'"\`\\%_;--u\u0308`.slice(0, MAX_VACCINATION_VACCINE) },
      ],
      ['the least petId', { petId: -(2n ** 63n) }],
      ['a givenAt before 1970', { givenAt: new Date(-1) }],
      ['a dueAt before 1970', { dueAt: new Date(-1) }],
    ])('gives back %s exactly as it was added', async (_, more) => {
      const [added] = await fill(more);
      expect(await store.vaccinations.find(added.id)).toEqual(added);
    });

    it('does not find a vaccination that was never added', async () => {
      expect(await store.vaccinations.find(404n)).toBeUndefined();
    });

    it('does not store two vaccinations with one id', async () => {
      const [added] = await fill({});
      await expect(store.vaccinations.add(aVaccination({ id: added.id }))).rejects.toThrow();
      expect(await store.vaccinations.find(added.id)).toEqual(added);
    });

    it('lists the newest first, and the next page after a given position', async () => {
      const [one, two, three] = await fill({}, {}, {});
      expect(idsOf(await store.vaccinations.list({ limit: 2 }))).toEqual([three.id, two.id]);
      expect(idsOf(await store.vaccinations.list({ after: { id: two.id }, limit: 2 }))).toEqual([one.id]);
    });

    it('lists only vaccinations with the requested value of petId', async () => {
      const [one, other] = await fill({}, {});
      const [three] = await fill({ petId: one.petId });
      const filter = { petId: one.petId };
      expect(other.petId).not.toBe(one.petId);
      expect(idsOf(await store.vaccinations.list({ filter, limit: 9 }))).toEqual([three.id, one.id]);
      const rest = await store.vaccinations.list({ filter, after: { id: three.id }, limit: 9 });
      expect(idsOf(rest)).toEqual([one.id]);
    });

    it('lists only vaccinations with the requested value of state', async () => {
      const [one, other] = await fill({}, {});
      const [three] = await fill({ state: one.state });
      const filter = { state: one.state };
      expect(other.state).not.toBe(one.state);
      expect(idsOf(await store.vaccinations.list({ filter, limit: 9 }))).toEqual([three.id, one.id]);
      const rest = await store.vaccinations.list({ filter, after: { id: three.id }, limit: 9 });
      expect(idsOf(rest)).toEqual([one.id]);
    });

    it('lists by dueAt, and a range of it', async () => {
      const by = 'dueAt';
      const [early, middle, late] = [aVaccination(), aVaccination(), aVaccination()];
      for (const vaccination of [late, early, middle]) await store.vaccinations.add(vaccination);
      const ids = async (descending: boolean, more: object) =>
        idsOf(await store.vaccinations.list({ sort: { by, descending }, limit: 9, ...more }));
      expect(await ids(false, {})).toEqual([early.id, middle.id, late.id]);
      expect(await ids(true, {})).toEqual([late.id, middle.id, early.id]);
      expect(await ids(false, { after: { id: early.id, value: early[by] } })).toEqual([middle.id, late.id]);
      expect(await ids(false, { range: { from: middle[by] } })).toEqual([middle.id, late.id]);
      expect(await ids(false, { range: { before: middle[by] } })).toEqual([early.id]);
    });

    it('lists the due vaccinations of a pet', async () => {
      const open = { petId: 42n, state: 'open' } as const;
      const [early, late] = await fill(open, open, { ...open, dueAt: undefined });
      await fill({ ...open, state: 'done', dueAt: early.dueAt }, { ...open, petId: 57n, dueAt: early.dueAt });
      const due = (before: Date) =>
        store.vaccinations.list({
          filter: open,
          sort: { by: 'dueAt', descending: false },
          range: { before },
          limit: 9,
        });
      expect(idsOf(await due(aVaccination().dueAt!))).toEqual([early.id, late.id]);
      expect(idsOf(await due(late.dueAt!))).toEqual([early.id]);
    });

    it('changes a vaccination and keeps the result', async () => {
      const [{ id }, other] = await fill({}, {});
      const next = aVaccination({ id });
      expect(await store.vaccinations.change(id, () => next)).toEqual(next);
      expect(await store.vaccinations.find(id)).toEqual(next);
      expect(await store.vaccinations.find(other.id)).toEqual(other);
    });

    it('does not keep what a change removes', async () => {
      const [{ id }] = await fill({});
      const less = aVaccination({ id, dueAt: undefined });
      await store.vaccinations.change(id, () => less);
      expect(await store.vaccinations.find(id)).toEqual(less);
    });

    it('does not change a vaccination when the change or the check throws', async () => {
      const [added] = await fill({});
      const refuse = () => {
        throw new Error('no');
      };
      await expect(store.vaccinations.change(added.id, refuse)).rejects.toThrow('no');
      await expect(store.vaccinations.delete(added.id, refuse)).rejects.toThrow('no');
      expect(await store.vaccinations.find(added.id)).toEqual(added);
    });

    it('loses no change when many are made at the same time', async () => {
      const [one] = await fill({});
      const other = aVaccination({ ...one, petId: aNewVaccination().petId });
      const isOne = ({ petId }: Vaccination) => String(petId) === String(one.petId);
      const found = await Promise.all(
        Array.from({ length: 20 }, async () => {
          let before!: Vaccination;
          await store.vaccinations.change(one.id, (vaccination) => {
            before = vaccination;
            return isOne(before) ? other : one;
          });
          return before;
        }),
      );
      expect(found.filter(isOne)).toHaveLength(10);
      expect(await store.vaccinations.find(one.id)).toEqual(one);
    });

    it('deletes one vaccination once, and no other', async () => {
      const [added, other] = await fill({}, {});
      expect(await store.vaccinations.delete(added.id, () => {})).toEqual(added);
      expect(await store.vaccinations.find(added.id)).toBeUndefined();
      expect(idsOf(await store.vaccinations.list({ limit: 9 }))).toEqual([other.id]);
      expect(await store.vaccinations.delete(added.id, () => {})).toBeUndefined();
    });

    it('rejects a change of a vaccination that does not exist', async () => {
      await expect(store.vaccinations.change(404n, (found) => found)).rejects.toThrow(VaccinationNotFound);
    });

    it('finds the open vaccinations of a pet', async () => {
      const open = { petId: 42n, state: 'open' } as const;
      await fill({ ...open, id: 3n }, { ...open, id: 1n }, { ...open, id: 2n, state: 'done' });
      await fill({ ...open, id: 4n, petId: 57n });
      const found = await store.units.run(() => store.vaccinations.lockOpen(42n));
      expect(found.map(({ id }) => id)).toEqual([1n, 3n]);
      expect(await store.units.run(() => store.vaccinations.lockOpen(404n))).toEqual([]);
    });

    it('finds what is due before an instant, the earliest first, except what was reported already', async () => {
      const [early, late] = [new Date('2026-05-01T12:00:00.000Z'), new Date('2026-05-01T12:00:00.001Z')];
      const open = { state: 'open' } as const;
      await fill({ ...open, id: 1n, dueAt: late }, { ...open, id: 2n, dueAt: early });
      await fill({ ...open, id: 3n, dueAt: undefined }, { id: 4n, dueAt: early, state: 'done' });
      await fill({ ...open, id: 5n, dueAt: early, remindedAt: early });
      const due = (before: Date, limit: number) =>
        store.units.run(async () => (await store.vaccinations.lockDue(before, limit)).map(({ id }) => id));
      expect(await due(late, 9)).toEqual([2n]);
      expect(await due(new Date(late.getTime() + 1), 9)).toEqual([2n, 1n]);
      expect(await due(new Date(late.getTime() + 1), 1)).toEqual([2n]);
    });

    it('is part of the unit of work', async () => {
      const unit = store.units.run(async () => {
        await fill({});
        throw new Error('undo');
      });
      await expect(unit).rejects.toThrow('undo');
      expect(idsOf(await store.vaccinations.list({ limit: 9 }))).toEqual([]);
    });
  }));
