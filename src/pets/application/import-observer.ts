import type { RefusedLine } from '../domain/pet-line.js';
import type { ImportProgress } from '../ports/import-ledger.js';

/** Observes an import while it runs. */
export interface ImportObserver {
  /** Called at least once for each refused line, before the progress after it is stored. */
  refused(line: RefusedLine): void;
  progressed(progress: ImportProgress): void;
}
