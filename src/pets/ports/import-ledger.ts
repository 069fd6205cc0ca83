/** What is imported: `contents` is the same for the same file under any name, and for no other. */
export interface ImportSource {
  readonly name: string;
  /** SHA-256, in hex. */
  readonly contents: string;
}

/** How far an import has come: the number of the last line that is done, and what became of the lines up to there. */
export interface ImportProgress {
  readonly line: number;
  readonly added: number;
  readonly refused: number;
}

/** Where it stands how far each import has come. */
export abstract class ImportLedger {
  /** How far this file has come; `undefined` if no import of it has begun. */
  abstract find(source: ImportSource): Promise<ImportProgress | undefined>;
  /** Notes the beginning of an import, unless it has begun. */
  abstract begin(source: ImportSource): Promise<void>;
  /** Goes on from one line to a later one as a single step. @throws ImportTaken if somebody else did meanwhile */
  abstract advance(source: ImportSource, from: ImportProgress, to: ImportProgress): Promise<void>;
  /** As if it had never begun. */
  abstract forget(source: ImportSource): Promise<void>;
}
