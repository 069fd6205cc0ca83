import type { DataSource, Table } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

type Collation = Partial<Pick<ColumnMetadata, 'charset' | 'collation'>>;

interface Stored extends Record<'table' | 'column' | 'charset' | 'collation', string> {
  /** 1 if the column has the collation of its table, as a column whose statement names none. */
  readonly isOfTable: number;
}

/** Compares texts as SQLite does. */
const EXACT = { charset: 'utf8mb4', collation: 'utf8mb4_bin' };
const TEXT = /char$|text$|^enum$/;

const nameOf = (table: string, column: string) => `${table}.${column}`;

/**
 * The collations of the text columns of MySQL. An entity that names neither a character set nor a collation gets what the column
 * has, or what the column that it refers to has. A new column gets utf8mb4_bin.
 */
export class Collations {
  /** Columns whose entity names none. */
  readonly #open: ReadonlySet<ColumnMetadata>;
  #stored: ReadonlyMap<string, Stored> = new Map();

  constructor(private readonly source: DataSource) {
    const columns = source.entityMetadatas.flatMap((entity) => entity.columns);
    const isOpen = (column: ColumnMetadata) =>
      !column.charset && !column.collation && TEXT.test(source.driver.normalizeType(column));
    this.#open = new Set(columns.filter(isOpen));
  }

  /** Reads the collations of the database, and gives them to the entities that name none. */
  async read(): Promise<void> {
    const rows = await this.source.query<Stored[]>(
      `SELECT c.table_name AS 'table', c.column_name AS 'column', c.character_set_name AS charset,
         c.collation_name AS collation, c.collation_name = t.table_collation AS isOfTable
       FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema = DATABASE() AND c.collation_name IS NOT NULL`,
    );
    this.#stored = new Map(rows.map((row) => [nameOf(row.table, row.column), row]));
    for (const column of this.#open) Object.assign(column, this.#chosen(column));
  }

  /** Gives the columns of a table the collations that a statement must name. */
  addTo(table: Table): void {
    for (const column of table.columns)
      Object.assign(column, written(this.#stored.get(nameOf(withoutDatabase(table), column.name))));
  }

  /** Whether the entity names another collation than the column has. */
  isOther(column: ColumnMetadata): boolean {
    if (column.collation === undefined || this.#open.has(column)) return false;
    return this.#storedAt(column)?.collation !== column.collation;
  }

  #chosen(column: ColumnMetadata): Collation {
    if (!this.#open.has(column)) return { charset: column.charset, collation: column.collation };
    const stored = this.#storedAt(column);
    if (stored) return written(stored);
    return column.referencedColumn ? this.#chosen(column.referencedColumn) : EXACT;
  }

  #storedAt({ entityMetadata, databaseName }: ColumnMetadata): Stored | undefined {
    return this.#stored.get(nameOf(entityMetadata.tableName, databaseName));
  }
}

/** Servers have different defaults, so a statement names only a collation that is not the default, or that all servers have. */
function written(stored: Stored | undefined): Collation {
  const { charset, collation, isOfTable } = stored ?? { isOfTable: 1 };
  const isNamed = !isOfTable || collation === EXACT.collation;
  return isNamed ? { charset, collation } : { charset: undefined, collation: undefined };
}

const withoutDatabase = ({ name }: Table) => name.split('.').at(-1)!;
