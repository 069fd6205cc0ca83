import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../src/kernel/page.js';
import { MemoryVaccinationRepository } from '../support/memory/memory-vaccination-repository.js';
import { VaccinationsModule } from '../../src/vaccinations/index.js';
import { migrationsOfModule } from '../../src/platform/database/migrations/migrations.decorator.js';
import { VaccinationSchema } from '../../src/vaccinations/adapters/typeorm/vaccination.schema.js';
import { TypeOrmVaccinationRepository } from '../../src/vaccinations/adapters/typeorm/typeorm-vaccination-repository.js';
import { VaccinationNotFound } from '../../src/vaccinations/domain/vaccination-errors.js';
import { MAX_VACCINATION_VACCINE } from '../../src/vaccinations/domain/new-vaccination.js';
import { Vaccination, type VaccinationProps } from '../../src/vaccinations/domain/vaccination.js';
import type {
  VaccinationRepository,
  VaccinationSelection,
} from '../../src/vaccinations/ports/vaccination-repository.js';
import { aVaccination, aNewInput } from '../support/vaccination-builder.js';
import { type Adapters, overEveryAdapter, type Store } from '../support/stores.js';

type Vaccinations = { vaccinations: VaccinationRepository };
const adapters: Adapters<Vaccinations> = {
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

    const fill = async (...vaccinations: Partial<VaccinationProps>[]) => {
      for (const more of vaccinations) await store.vaccinations.add(aVaccination(more));
    };
    const idsOf = ({ items }: Page<Vaccination>) => items.map(({ id }) => id);

    it.each<[string, Partial<VaccinationProps>]>([
      ['each property', {}],
      ['other properties', aNewInput()],
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
      await fill(more);
      expect(await store.vaccinations.find(more.id ?? 4211n)).toEqual(aVaccination(more));
    });

    it('knows nothing of a vaccination that was never added', async () => {
      expect(await store.vaccinations.find(404n)).toBeUndefined();
    });

    it('does not take two vaccinations under one id', async () => {
      await fill({});
      await expect(store.vaccinations.add(aVaccination(aNewInput()))).rejects.toThrow();
      expect(await store.vaccinations.find(4211n)).toEqual(aVaccination());
    });

    it('lists the newest first, and goes on after a given one', async () => {
      await fill({ id: 1n }, { id: 2n }, { id: 3n });
      expect(idsOf(await store.vaccinations.list({ limit: 2 }))).toEqual([3n, 2n]);
      expect(idsOf(await store.vaccinations.list({ after: { id: 2n }, limit: 2 }))).toEqual([1n]);
    });

    it.each<[string, Partial<VaccinationProps>, VaccinationSelection['filter']]>([
      ['petId', { petId: 57n }, { petId: 42n }],
      ['state', { state: 'transferred' }, { state: 'open' }],
      ['everything at once', { petId: 57n, state: 'transferred' }, { petId: 42n, state: 'open' }],
    ])('lists only those with the wanted value of %s', async (_, other, filter) => {
      await fill({ id: 1n }, { id: 2n, ...other }, { id: 3n });
      expect(idsOf(await store.vaccinations.list({ filter, limit: 9 }))).toEqual([3n, 1n]);
      expect(idsOf(await store.vaccinations.list({ filter, after: { id: 3n }, limit: 9 }))).toEqual([1n]);
    });

    it('lists by dueAt, and a part of it', async () => {
      const by = 'dueAt';
      const [early, late] = [new Date('2026-05-01T12:00:00.000Z'), new Date('2026-05-01T12:00:00.001Z')];
      await fill({ id: 1n, [by]: late }, { id: 2n, [by]: early }, { id: 3n, [by]: late });
      const ids = async (descending: boolean, more: object) =>
        idsOf(await store.vaccinations.list({ sort: { by, descending }, limit: 9, ...more }));
      expect(await ids(false, {})).toEqual([2n, 1n, 3n]);
      expect(await ids(true, {})).toEqual([3n, 1n, 2n]);
      expect(await ids(false, { after: { id: 1n, value: late } })).toEqual([3n]);
      expect(await ids(false, { range: { from: late } })).toEqual([1n, 3n]);
      expect(await ids(false, { range: { before: late } })).toEqual([2n]);
    });

    it('lists what is due of a pet', async () => {
      const dueAt = new Date('2026-05-01T12:00:00.000Z');
      await fill({ id: 1n }, { id: 2n, dueAt }, { id: 3n, dueAt: undefined }, { id: 4n, state: 'done' });
      await fill({ id: 5n, dueAt, petId: 57n });
      const due = (before: Date) =>
        store.vaccinations.list({
          filter: { petId: 42n, state: 'open' },
          sort: { by: 'dueAt', descending: false },
          range: { before },
          limit: 9,
        });
      expect(idsOf(await due(new Date('2027-01-01T00:00:00Z')))).toEqual([2n, 1n]);
      expect(idsOf(await due(aVaccination().dueAt!))).toEqual([2n]);
    });

    it('changes a vaccination and keeps the result', async () => {
      await fill({}, { id: 12n });
      const changed = await store.vaccinations.change(4211n, () => aVaccination(aNewInput()));
      expect(changed).toEqual(aVaccination(aNewInput()));
      expect(await store.vaccinations.find(4211n)).toEqual(changed);
      expect(await store.vaccinations.find(12n)).toEqual(aVaccination({ id: 12n }));
    });

    it('keeps nothing of what a change removes', async () => {
      await fill({});
      const less = aVaccination({ dueAt: undefined });
      await store.vaccinations.change(4211n, () => less);
      expect(await store.vaccinations.find(4211n)).toEqual(less);
    });

    it('leaves a vaccination as it is when the change or the check throws', async () => {
      await fill({});
      const refuse = () => {
        throw new Error('no');
      };
      await expect(store.vaccinations.change(4211n, refuse)).rejects.toThrow('no');
      await expect(store.vaccinations.delete(4211n, refuse)).rejects.toThrow('no');
      expect(await store.vaccinations.find(4211n)).toEqual(aVaccination());
    });

    it('loses no change, however many come at once', async () => {
      await fill({});
      const [one, other] = [aVaccination(), aVaccination(aNewInput())];
      const isOne = ({ petId }: Vaccination) => String(petId) === String(one.petId);
      const found = await Promise.all(
        Array.from({ length: 20 }, async () => {
          let before!: Vaccination;
          await store.vaccinations.change(4211n, (vaccination) => {
            before = vaccination;
            return isOne(before) ? other : one;
          });
          return before;
        }),
      );
      expect(found.filter(isOne)).toHaveLength(10);
      expect(await store.vaccinations.find(4211n)).toEqual(aVaccination());
    });

    it('deletes a vaccination, once, and no other', async () => {
      await fill({}, { id: 12n });
      expect(await store.vaccinations.delete(4211n, () => {})).toEqual(aVaccination());
      expect(await store.vaccinations.find(4211n)).toBeUndefined();
      expect(idsOf(await store.vaccinations.list({ limit: 9 }))).toEqual([12n]);
      expect(await store.vaccinations.delete(4211n, () => {})).toBeUndefined();
      await expect(store.vaccinations.change(4211n, (found) => found)).rejects.toThrow(VaccinationNotFound);
    });

    it('has what is open of a pet', async () => {
      await fill({ id: 3n }, { id: 1n }, { id: 2n, state: 'done' }, { id: 4n, petId: 57n });
      expect(idsOf(await store.units.run(() => store.vaccinations.lockOpen(42n)))).toEqual([1n, 3n]);
      expect(await store.units.run(() => store.vaccinations.lockOpen(404n))).toEqual([]);
    });

    it('has what is due before an instant, the earliest first, and not what somebody was reminded of', async () => {
      const [early, late] = [new Date('2026-05-01T12:00:00.000Z'), new Date('2026-05-01T12:00:00.001Z')];
      await fill({ id: 1n, dueAt: late }, { id: 2n, dueAt: early }, { id: 3n, dueAt: undefined });
      await fill({ id: 4n, dueAt: early, state: 'done' }, { id: 5n, dueAt: early, remindedAt: early });
      const due = (before: Date, limit: number) =>
        store.units.run(async () => idsOf(await store.vaccinations.lockDue(before, limit)));
      expect(await due(late, 9)).toEqual([2n]);
      expect(await due(new Date(late.getTime() + 1), 9)).toEqual([2n, 1n]);
      expect(await due(new Date(late.getTime() + 1), 1)).toEqual([2n]);
    });

    it('takes part in the unit of work', async () => {
      await fill({});
      const unit = store.units.run(async () => {
        await store.vaccinations.add(aVaccination({ id: 12n }));
        await store.vaccinations.delete(4211n, () => {});
        throw new Error('undo');
      });
      await expect(unit).rejects.toThrow('undo');
      expect(idsOf(await store.vaccinations.list({ limit: 9 }))).toEqual([4211n]);
    });
  }));
