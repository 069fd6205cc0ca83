import type { Events } from '../../kernel/events.js';
import type { Int64 } from '../../kernel/int64.js';
import { type Page, pageOf } from '../../kernel/page.js';
import type { Sequence } from '../../kernel/sequence.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';
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

/** All vaccinations: everything a client can ask of them. */
export class Vaccinations {
  constructor(
    private readonly repository: VaccinationRepository,
    private readonly pets: PetLocks,
    private readonly ids: Sequence,
    private readonly events: Events,
    private readonly units: UnitOfWork,
  ) {}

  /** One page of vaccinations; empty when nothing matches. */
  async list(selection: VaccinationSelection): Promise<Page<Vaccination>> {
    const found = await this.repository.list({ ...selection, limit: selection.limit + 1 });
    return pageOf(found, selection);
  }

  /**
   * Adds a vaccination. Its id is drawn before it is stored, so that storing can be tried again without a twin.
   * @throws UnknownPet
   */
  async add(input: NewVaccinationInput): Promise<Vaccination> {
    const newVaccination = NewVaccination.from(input);
    const vaccination = Vaccination.create(await this.ids.next(), newVaccination);
    await this.units.run(async () => {
      await this.#lockPet(vaccination);
      await this.events.record(VaccinationAdded, async () => {
        await this.repository.add(vaccination);
        return payloadOf(vaccination);
      });
    });
    return vaccination;
  }

  /** Tells of vaccinations that are there already as if they were added now. */
  async retell(after: Int64, limit: number) {
    return (await this.repository.lockAfter(after, limit)).map(payloadOf);
  }

  /** @throws VaccinationNotFound */
  async get(id: Int64): Promise<Vaccination> {
    const vaccination = await this.repository.find(id);
    if (!vaccination) throw new VaccinationNotFound();
    return vaccination;
  }

  /** Changes a vaccination; it stays as it is if `check` throws. @throws VaccinationNotFound, UnknownPet, InvalidInput */
  async change(
    id: Int64,
    change: VaccinationChange,
    check: (vaccination: Vaccination) => void = () => {},
  ): Promise<Vaccination> {
    // A bad change is bad whether or not there is something to change.
    NewVaccination.check(change);
    let changed!: Vaccination;
    await this.events.record(VaccinationChanged, async () => {
      changed = await this.repository.change(id, async (found) => {
        check(found);
        const vaccination = found.change(change);
        await this.#lockPet(vaccination);
        return vaccination;
      });
      return payloadOf(changed);
    });
    return changed;
  }

  /** Deletes a vaccination, if it is there; it stays if `check` throws. */
  delete(id: Int64, check: (vaccination: Vaccination) => void = () => {}): Promise<void> {
    return this.units.run(async () => {
      const deleted = await this.repository.delete(id, check);
      if (deleted) await this.events.record(VaccinationDeleted, async () => payloadOf(deleted));
    });
  }

  /** The animal of a vaccination stays as it is until the unit of work ends. @throws UnknownPet */
  async #lockPet({ petId }: Vaccination): Promise<void> {
    if ((await this.pets.lock(petId)) === undefined) throw new UnknownPet();
  }
}
