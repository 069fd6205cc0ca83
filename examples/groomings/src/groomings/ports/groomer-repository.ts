import type { Int64, Page, Selection } from '../../kernel/index.js';
import type { Groomer } from '../domain/groomer.js';

/** Which groomers to list. */
export type GroomerSelection = Selection<{}>;

/** What `Groomers` needs from storage. */
export abstract class GroomerRepository {
  /** Stores a new groomer in one step. */
  abstract add(groomer: Groomer): Promise<void>;
  abstract find(id: Int64): Promise<Groomer | undefined>;
  /** Locks a groomer until the unit of work ends. @returns whether the groomer exists */
  abstract lock(id: Int64): Promise<boolean>;
  /** One page of the selected groomers. It is empty if nothing matches. */
  abstract list(selection: GroomerSelection): Promise<Page<Groomer>>;
}
