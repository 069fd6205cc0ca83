import type { Int64, Page, Selection } from '../../kernel/index.js';
import type { VaccinationState } from '../domain/new-vaccination.js';
import type { Vaccination } from '../domain/vaccination.js';

/** Which vaccinations to list. */
export type VaccinationSelection = Selection<{
  readonly petId?: Int64;
  readonly state?: VaccinationState;
}>;

/** What `Vaccinations` needs from storage. */
export abstract class VaccinationRepository {
  /** Stores a new vaccination in one step. */
  abstract add(vaccination: Vaccination): Promise<void>;
  abstract find(id: Int64): Promise<Vaccination | undefined>;
  /** One page of the selected vaccinations. It is empty if nothing matches. */
  abstract list(selection: VaccinationSelection): Promise<Page<Vaccination>>;
  /** The open vaccinations of a pet, locked until the unit of work ends. */
  abstract lockOpen(petId: Int64): Promise<Vaccination[]>;
  /**
   * At most `limit` open vaccinations that are due before an instant and have no reminder yet, the earliest first. They are
   * locked until the unit of work ends.
   */
  abstract lockDue(before: Date, limit: number): Promise<Vaccination[]>;
  /**
   * Changes one vaccination in one step, however many callers try at once. If `change` throws, nothing is stored.
   * `change` is part of the unit of work. @throws VaccinationNotFound
   */
  abstract change(
    id: Int64,
    change: (vaccination: Vaccination) => Vaccination | Promise<Vaccination>,
  ): Promise<Vaccination>;
  /** Deletes one vaccination in one step, unless `check` throws. @returns the deleted vaccination; undefined if it did not exist */
  abstract delete(id: Int64, check: (vaccination: Vaccination) => void): Promise<Vaccination | undefined>;
}
