import type { MemoryUnitOfWork } from './memory-unit-of-work.js';
import {
  ImportLedger,
  type ImportProgress,
  ImportTaken,
} from '../../../src/pet-files/ports/import-ledger.js';

/** Keeps the progress of imports in memory, for tests that need no database. */
export class MemoryImportLedger extends ImportLedger {
  readonly #imports: Map<string, ImportProgress>;

  constructor(private readonly units: MemoryUnitOfWork) {
    super();
    this.#imports = units.table();
  }

  override begin(name: string, start: ImportProgress): Promise<ImportProgress> {
    return this.units.run(async () => {
      if (!this.#imports.has(name)) this.#imports.set(name, start);
      return this.#imports.get(name)!;
    });
  }

  override advance(name: string, { records }: ImportProgress, to: ImportProgress): Promise<void> {
    return this.units.run(async () => {
      if (this.#imports.get(name)?.records !== records) throw new ImportTaken(name);
      this.#imports.set(name, to);
    });
  }
}
