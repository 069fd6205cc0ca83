import type { RefusedLine } from '../domain/pet-line.js';
import type { ImportProgress } from '../ports/import-ledger.js';

/** Who is told while an import goes on. */
export interface ImportWatch {
  /** Told at least once of each line that is refused: before that is noted anywhere. */
  refused(line: RefusedLine): void;
  progressed(progress: ImportProgress): void;
}
