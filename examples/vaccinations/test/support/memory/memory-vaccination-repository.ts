import type { Int64, Page } from '../../../src/kernel/index.js';
import { MemoryUnitOfWork } from './memory-unit-of-work.js';
import { selectedPage } from './selected.js';
import { VaccinationNotFound } from '../../../src/vaccinations/domain/vaccination-errors.js';
import type { Vaccination } from '../../../src/vaccinations/domain/vaccination.js';
import {
  VaccinationRepository,
  type VaccinationSelection,
} from '../../../src/vaccinations/ports/vaccination-repository.js';

/** Keeps vaccinations in memory, for tests that need no database. */
export class MemoryVaccinationRepository extends VaccinationRepository {
  readonly #vaccinations: Map<Int64, Vaccination>;

  constructor(private readonly units = new MemoryUnitOfWork()) {
    super();
    this.#vaccinations = units.table();
  }

  override add(vaccination: Vaccination): Promise<void> {
    return this.units.run(async () => {
      if (this.#vaccinations.has(vaccination.id)) throw new Error(`Id ${vaccination.id} is taken.`);
      this.#vaccinations.set(vaccination.id, vaccination);
    });
  }

  override find(id: Int64): Promise<Vaccination | undefined> {
    return this.units.run(async () => this.#vaccinations.get(id));
  }

  override list(selection: VaccinationSelection): Promise<Page<Vaccination>> {
    return this.units.run(async () => selectedPage(this.#vaccinations.values(), selection));
  }

  override lockOpen(petId: Int64): Promise<Vaccination[]> {
    return this.#all({ filter: { petId, state: 'open' }, sort: { by: 'id', descending: false } });
  }

  override async lockDue(before: Date, limit: number): Promise<Vaccination[]> {
    const sort = { by: 'dueAt', descending: false };
    const due = await this.#all({ filter: { state: 'open' }, sort, range: { before } });
    return due.filter(({ remindedAt }) => remindedAt === undefined).slice(0, limit);
  }

  async #all(selection: Omit<VaccinationSelection, 'limit'>): Promise<Vaccination[]> {
    return (await this.list({ ...selection, limit: Infinity })).items as Vaccination[];
  }

  override change(
    id: Int64,
    change: (vaccination: Vaccination) => Vaccination | Promise<Vaccination>,
  ): Promise<Vaccination> {
    return this.units.run(async () => {
      const found = this.#vaccinations.get(id);
      if (!found) throw new VaccinationNotFound();
      const changed = await change(found);
      this.#vaccinations.set(id, changed);
      return changed;
    });
  }

  override delete(id: Int64, check: (vaccination: Vaccination) => void): Promise<Vaccination | undefined> {
    return this.units.run(async () => {
      const found = this.#vaccinations.get(id);
      if (found) check(found);
      this.#vaccinations.delete(id);
      return found;
    });
  }
}
