/**
 * The statements for a table of things that have an `id`, its primary key, and a `status`, with an index on both in this
 * order, `<table>_by_status`: then no page of a list costs more than the first.
 */
export class Table {
  /** Stores the values of a row in place of the one with an id, if that still has a status. */
  readonly replace: string;
  readonly #insert: string;
  readonly #row: string;
  readonly #list: string;

  /** `columns` in the order of the values of a row. */
  constructor(
    readonly name: string,
    readonly columns: readonly string[],
  ) {
    this.#list = columns.join(', ');
    this.#insert = `INSERT INTO ${name} (${this.#list}) VALUES `;
    this.#row = `(${columns.map(() => '?').join(', ')})`;
    this.replace = `UPDATE ${name} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ? AND status = ?`;
  }

  /** The rows with so many ids. */
  find(count: number): string {
    const condition = count === 1 ? 'id = ?' : `id IN (${places(count, '?')})`;
    return `SELECT ${this.#list} FROM ${this.name} WHERE ${condition}`;
  }

  /** Stores so many rows, all or none. */
  insert(count: number): string {
    return this.#insert + places(count, this.#row);
  }

  /** A page: the rows up to an id, the newest first, at most so many. */
  page(): string {
    return `SELECT ${this.#list} FROM ${this.name} WHERE id <= ? ORDER BY id DESC LIMIT ?`;
  }

  /** A page of the rows of a status. `useIndex` keeps the engine from reading the others in vain. */
  pageOfStatus(useIndex: (name: string) => string): string {
    const table = `${this.name} ${useIndex(`${this.name}_by_status`)}`;
    return `SELECT ${this.#list} FROM ${table} WHERE status = ? AND id <= ? ORDER BY id DESC LIMIT ?`;
  }
}

const places = (count: number, place: string) => Array.from({ length: count }, () => place).join(', ');
