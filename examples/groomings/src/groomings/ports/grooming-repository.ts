import type { Int64, Page, Selection } from '../../kernel/index.js';
import type { Grooming } from '../domain/grooming.js';

/** Which groomings to list. */
export type GroomingSelection = Selection<{ readonly groomerId?: Int64 }>;

/** What `Groomings` needs from storage. */
export abstract class GroomingRepository {
  /** Stores a new grooming in one step. */
  abstract add(grooming: Grooming): Promise<void>;
  abstract find(id: Int64): Promise<Grooming | undefined>;
  /** The groomings of the same groomer that may overlap a grooming. They are locked until the unit of work ends. */
  abstract lockNear(grooming: Grooming): Promise<Grooming[]>;
  /** One page of the selected groomings. It is empty if nothing matches. */
  abstract list(selection: GroomingSelection): Promise<Page<Grooming>>;
}
