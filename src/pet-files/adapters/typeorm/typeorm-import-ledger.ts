import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntitySchema, Repository } from 'typeorm';
import { Clock } from '../../../kernel/index.js';
import { columns } from '../../../platform/database/index.js';
import { hashOfName } from '../../domain/hashes.js';
import { ImportTaken, type ImportLedger, type ImportProgress } from '../../ports/import-ledger.js';

/** The progress of an import. Times are milliseconds since 1970. */
interface Import extends ImportProgress {
  /** The hash of the name. */
  readonly contents: string;
  readonly name: string;
  readonly begunAt: number;
  readonly changedAt: number;
}

export const ImportSchema = new EntitySchema<Import>({
  name: 'Import',
  tableName: 'imports',
  withoutRowid: true,
  // Two columns keep their names of version 1.1, although their content is different now.
  columns: {
    contents: columns.word(64, { type: 'char', primary: true }),
    name: columns.text(255),
    records: columns.number({ name: 'last_line' }),
    added: columns.number(),
    refused: columns.number(),
    begunAt: columns.number({ name: 'begun_at' }),
    changedAt: columns.number({ name: 'changed_at' }),
    hash: columns.word(64, { name: 'records_hash', type: 'char', nullable: true }),
  },
});

/** Keeps the progress of imports in the table `imports`. */
@Injectable()
export class TypeOrmImportLedger implements ImportLedger {
  constructor(
    @InjectRepository(ImportSchema) private readonly imports: Repository<Import>,
    private readonly clock: Clock,
  ) {}

  async begin(name: string, start: ImportProgress): Promise<ImportProgress> {
    const contents = hashOfName(name);
    const now = this.clock.now();
    const begun = { ...start, contents, name, begunAt: now, changedAt: now };
    await this.imports.createQueryBuilder().insert().values(begun).orIgnore().execute();
    const select = { records: true, added: true, refused: true, hash: true };
    return this.imports.findOneOrFail({ select, where: { contents } });
  }

  /**
   * Compare-and-set on the number of records. If two processes use the same name, one of them fails together with its whole
   * batch.
   */
  async advance(name: string, { records }: ImportProgress, to: ImportProgress): Promise<void> {
    const reached = { contents: hashOfName(name), records };
    // The hash must become NULL, but TypeORM ignores undefined here.
    const next = { ...to, hash: to.hash ?? (null as never), changedAt: this.clock.now() };
    const { affected } = await this.imports.update(reached, next);
    if (affected !== 1) throw new ImportTaken(name);
  }
}
