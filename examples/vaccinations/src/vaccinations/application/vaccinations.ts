import {
  type Events,
  hasValues,
  type Int64,
  type Page,
  type Sequence,
  type UnitOfWork,
} from '../../kernel/index.js';
import type { PetLocks } from '../../pets/index.js';
import { NewVaccination, type NewVaccinationInput } from '../domain/new-vaccination.js';
import { UnknownPet, VaccinationNotFound } from '../domain/vaccination-errors.js';
import {
  VaccinationAdded,
  VaccinationChanged,
  VaccinationDeleted,
  payloadOf,
} from '../domain/vaccination-events.js';
import { Vaccination, type VaccinationChange } from '../domain/vaccination.js';
import type { VaccinationRepository, VaccinationSelection } from '../ports/vaccination-repository.js';

/** All use cases of vaccinations. */
export class Vaccinations {
  constructor(
    private readonly repository: VaccinationRepository,
    private readonly pets: PetLocks,
    private readonly ids: Sequence,
    private readonly events: Events,
    private readonly units: UnitOfWork,
  ) {}

  /** One page of vaccinations. It is empty if nothing matches. */
  list(selection: VaccinationSelection): Promise<Page<Vaccination>> {
    return this.repository.list(selection);
  }

  /**
   * Adds a vaccination. Its id is assigned before it is stored, so a retry cannot store it twice.
   * @throws UnknownPet
   */
  async add(input: NewVaccinationInput): Promise<Vaccination> {
    const newVaccination = NewVaccination.from(input);
    const created = Vaccination.create(await this.ids.next(), newVaccination);
    return this.units.run(async () => {
      const vaccination = await this.#ofPet(created);
      await this.events.record(VaccinationAdded, async () => {
        await this.repository.add(vaccination);
        return payloadOf(vaccination);
      });
      return vaccination;
    });
  }

  /** @throws VaccinationNotFound */
  async get(id: Int64): Promise<Vaccination> {
    const vaccination = await this.repository.find(id);
    if (!vaccination) throw new VaccinationNotFound();
    return vaccination;
  }

  /**
   * Changes a vaccination. If it already has the values of the change, `check` is not called, so that a client can repeat a
   * request. If `check` throws, nothing is changed.
   * @throws VaccinationNotFound, UnknownPet, InvalidInput
   */
  async change(
    id: Int64,
    change: VaccinationChange,
    check: (vaccination: Vaccination) => void = () => {},
  ): Promise<Vaccination> {
    // An invalid change is rejected even if there is nothing to change.
    NewVaccination.check(change);
    return this.#change(id, (found) => {
      if (hasValues(found, change)) return found;
      check(found);
      return this.#ofPet(found.change(change));
    });
  }

  /** Transfers the open vaccinations of a pet that was sold. */
  transferOpen(petId: Int64): Promise<void> {
    return this.units.run(async () => {
      for (const { id } of await this.repository.lockOpen(petId)) {
        await this.#change(id, (vaccination) => vaccination.transfer());
      }
    });
  }

  /** Deletes a vaccination if it exists. If `check` throws, nothing is deleted. */
  delete(id: Int64, check: (vaccination: Vaccination) => void = () => {}): Promise<void> {
    return this.units.run(async () => {
      const deleted = await this.repository.delete(id, check);
      if (deleted) await this.events.record(VaccinationDeleted, async () => payloadOf(deleted));
    });
  }

  async #change(
    id: Int64,
    change: (found: Vaccination) => Vaccination | Promise<Vaccination>,
  ): Promise<Vaccination> {
    let changed!: Vaccination;
    await this.events.record(VaccinationChanged, async () => {
      let isRepeated = false;
      changed = await this.repository.change(id, async (found) => {
        const next = await change(found);
        isRepeated = next === found;
        return next;
      });
      // Only a change with an effect is an event.
      return isRepeated ? [] : [payloadOf(changed)];
    });
    return changed;
  }

  /**
   * A vaccination as it may be stored now. Its pet is locked until the unit of work ends. If a sale came before, this row shows
   * it. If it comes after, `transferOpen` finds the vaccination. @throws UnknownPet
   */
  async #ofPet(vaccination: Vaccination): Promise<Vaccination> {
    const status = await this.pets.lock(vaccination.petId);
    if (status === undefined) throw new UnknownPet();
    return status === 'sold' ? vaccination.transfer() : vaccination;
  }
}
