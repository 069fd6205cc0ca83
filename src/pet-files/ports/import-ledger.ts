import { DomainError } from '../../kernel/index.js';

export class ImportTaken extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'import_taken';

  constructor(name: string) {
    super(`Another process is importing as ${name}. What it has stored stays; this one stored nothing more.`);
  }
}

/** An import cannot continue under its name. Nothing was stored. */
export class NotResumable extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'not_resumable';
}

/** The progress of an import: the number of records that are done, and their results. */
export interface ImportProgress {
  readonly records: number;
  readonly added: number;
  readonly refused: number;
  /** SHA-256 of the records that are done, in hex; undefined for an import that has ended. */
  readonly hash?: string | undefined;
}

/** Stores the progress of each import that has a name. */
export abstract class ImportLedger {
  /** The progress under this name. If there is none, it stores and returns `start`. */
  abstract begin(name: string, start: ImportProgress): Promise<ImportProgress>;
  /** Advances from one number of records to a later one in one step. @throws ImportTaken if another process did so meanwhile */
  abstract advance(name: string, from: ImportProgress, to: ImportProgress): Promise<void>;
}
