import type { Clock } from '../../../kernel/clock.js';
import { DuplicateKey } from '../../../platform/database/database-errors.js';
import type { Sql } from '../../../platform/database/sql.js';
import { ImportTaken } from '../../domain/pet-errors.js';
import { ImportLedger, type ImportProgress, type ImportSource } from '../../ports/import-ledger.js';

type Row = Record<'last_line' | 'added' | 'refused', bigint | string | number>;

/** Keeps the progress of imports in the table `imports`. */
export class TypeOrmImportLedger extends ImportLedger {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async find({ contents }: ImportSource): Promise<ImportProgress | undefined> {
    const [row] = await this.sql.rows<Row>(
      'SELECT last_line, added, refused FROM imports WHERE contents = ?',
      [contents],
    );
    return row && { line: Number(row.last_line), added: Number(row.added), refused: Number(row.refused) };
  }

  override async begin({ contents, name }: ImportSource): Promise<void> {
    const now = this.clock.now();
    try {
      await this.sql.change(
        `INSERT INTO imports (contents, name, last_line, added, refused, begun_at, changed_at)
         VALUES (?, ?, 0, 0, 0, ?, ?)`,
        [contents, name, now, now],
      );
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
    }
  }

  /** Compare and set on the line: of two processes that import the same file, one is refused, with all its batch. */
  override async advance(source: ImportSource, from: ImportProgress, to: ImportProgress): Promise<void> {
    const moved = await this.sql.change(
      `UPDATE imports SET last_line = ?, added = ?, refused = ?, changed_at = ?
       WHERE contents = ? AND last_line = ?`,
      [to.line, to.added, to.refused, this.clock.now(), source.contents, from.line],
    );
    if (moved !== 1) throw new ImportTaken(source.name);
  }

  override async forget({ contents }: ImportSource): Promise<void> {
    await this.sql.store('DELETE FROM imports WHERE contents = ?', [contents]);
  }
}
