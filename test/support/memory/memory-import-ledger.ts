import type { MemoryUnitOfWork } from './memory-unit-of-work.js';
import {
  ImportLedger,
  type ImportProgress,
  type ImportSource,
  ImportTaken,
} from '../../../src/pet-files/ports/import-ledger.js';

/** Keeps the progress of imports in memory, for tests that need no database. */
export class MemoryImportLedger extends ImportLedger {
  readonly #imports: Map<string, ImportProgress>;

  constructor(private readonly units: MemoryUnitOfWork) {
    super();
    this.#imports = units.table();
  }

  override find({ contents }: ImportSource): Promise<ImportProgress | undefined> {
    return this.units.run(async () => this.#imports.get(contents));
  }

  override begin({ contents }: ImportSource): Promise<void> {
    return this.units.run(async () => {
      if (!this.#imports.has(contents)) this.#imports.set(contents, { line: 0, added: 0, refused: 0 });
    });
  }

  override advance(source: ImportSource, from: ImportProgress, to: ImportProgress): Promise<void> {
    return this.units.run(async () => {
      if (this.#imports.get(source.contents)?.line !== from.line) throw new ImportTaken(source.name);
      this.#imports.set(source.contents, to);
    });
  }

  override forget({ contents }: ImportSource): Promise<void> {
    return this.units.run(async () => void this.#imports.delete(contents));
  }
}
