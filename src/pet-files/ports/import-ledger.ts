import { DomainError } from '../../kernel/domain-error.js';

export class ImportTaken extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'import_taken';

  constructor(name: string) {
    super(`Another process is importing ${name}. What it has stored stays; this one stored nothing more.`);
  }
}

/** The source of an import: `contents` identifies the content of the file, whatever its name. */
export interface ImportSource {
  readonly name: string;
  /** SHA-256, in hex. */
  readonly contents: string;
}

/** The progress of an import: the number of the last line that is done, and the results up to there. */
export interface ImportProgress {
  readonly line: number;
  readonly added: number;
  readonly refused: number;
}

/** Stores the progress of each import. */
export abstract class ImportLedger {
  /** The progress of this file; `undefined` if no import of it has begun. */
  abstract find(source: ImportSource): Promise<ImportProgress | undefined>;
  /** Stores the beginning of an import, unless it has begun. */
  abstract begin(source: ImportSource): Promise<void>;
  /** Advances from one line to a later one as a single step. @throws ImportTaken if another process did meanwhile */
  abstract advance(source: ImportSource, from: ImportProgress, to: ImportProgress): Promise<void>;
  /** Deletes the progress. */
  abstract forget(source: ImportSource): Promise<void>;
}
