import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntitySchema, LessThan, Repository } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import { columns } from '../../../platform/database/columns.js';
import { DuplicateKey } from '../../../platform/database/errors.js';
import { OldRows } from '../../../platform/database/purge.js';
import { deleteInBatches } from '../../../platform/database/queries/delete-in-batches.js';
import { PetFileSettings } from '../../pet-files.settings.js';
import {
  ImportTaken,
  type ImportLedger,
  type ImportProgress,
  type ImportSource,
} from '../../ports/import-ledger.js';

/** The progress of an imported file. Times are milliseconds since 1970. */
interface Import extends ImportSource, ImportProgress {
  readonly begunAt: number;
  readonly changedAt: number;
}

export const ImportSchema = new EntitySchema<Import>({
  name: 'Import',
  tableName: 'imports',
  withoutRowid: true,
  columns: {
    contents: columns.word(64, { type: 'char', primary: true }),
    name: columns.text(255),
    line: columns.number({ name: 'last_line' }),
    added: columns.number(),
    refused: columns.number(),
    begunAt: columns.number({ name: 'begun_at' }),
    changedAt: columns.number({ name: 'changed_at' }),
  },
});

const DAY_MS = 86_400_000;

/** Keeps the progress of imports in the table `imports`, until they were not continued for a long time. */
@Injectable()
export class TypeOrmImportLedger extends OldRows implements ImportLedger {
  readonly schedule = 'once a day';

  constructor(
    @InjectRepository(ImportSchema) private readonly imports: Repository<Import>,
    private readonly clock: Clock,
    private readonly settings: PetFileSettings,
  ) {
    super();
  }

  async find({ contents }: ImportSource): Promise<ImportProgress | undefined> {
    const found = await this.imports.findOneBy({ contents });
    return found ? { line: found.line, added: found.added, refused: found.refused } : undefined;
  }

  async begin(source: ImportSource): Promise<void> {
    const now = this.clock.now();
    try {
      await this.imports.insert({ ...source, line: 0, added: 0, refused: 0, begunAt: now, changedAt: now });
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
    }
  }

  /** Compare-and-set on the line: of two processes that import the same file, one fails together with its whole batch. */
  async advance(source: ImportSource, from: ImportProgress, to: ImportProgress): Promise<void> {
    const reached = { contents: source.contents, line: from.line };
    const { affected } = await this.imports.update(reached, { ...to, changedAt: this.clock.now() });
    if (affected !== 1) throw new ImportTaken(source.name);
  }

  async forget({ contents }: ImportSource): Promise<void> {
    await this.imports.delete({ contents });
  }

  override purge(): Promise<number> {
    const oldest = this.clock.now() - this.settings.importDays * DAY_MS;
    return deleteInBatches(this.imports, { changedAt: LessThan(oldest) });
  }
}
