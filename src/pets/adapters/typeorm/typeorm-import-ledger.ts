import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import { DuplicateKey } from '../../../platform/database/errors.js';
import { ImportTaken } from '../../domain/pet-errors.js';
import { ImportLedger, type ImportProgress, type ImportSource } from '../../ports/import-ledger.js';
import { type Import, ImportSchema } from './import.schema.js';

/** Keeps the progress of imports in the table `imports`. */
@Injectable()
export class TypeOrmImportLedger extends ImportLedger {
  constructor(
    @InjectRepository(ImportSchema) private readonly imports: Repository<Import>,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async find({ contents }: ImportSource): Promise<ImportProgress | undefined> {
    const found = await this.imports.findOneBy({ contents });
    return found ? { line: found.lastLine, added: found.added, refused: found.refused } : undefined;
  }

  override async begin({ contents, name }: ImportSource): Promise<void> {
    const now = this.clock.now();
    const beginning = { lastLine: 0, added: 0, refused: 0, begunAt: now, changedAt: now };
    try {
      await this.imports.insert({ contents, name, ...beginning });
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
    }
  }

  /** Compare-and-set on the line: of two processes that import the same file, one fails together with its whole batch. */
  override async advance(source: ImportSource, from: ImportProgress, to: ImportProgress): Promise<void> {
    const { affected } = await this.imports.update(
      { contents: source.contents, lastLine: from.line },
      { lastLine: to.line, added: to.added, refused: to.refused, changedAt: this.clock.now() },
    );
    if (affected !== 1) throw new ImportTaken(source.name);
  }

  override async forget({ contents }: ImportSource): Promise<void> {
    await this.imports.delete({ contents });
  }
}
