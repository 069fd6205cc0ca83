import type { Int64 } from '../../kernel/int64.js';
import type { Selection } from '../../kernel/selection.js';
import { Batch } from './batch.js';
import { DatabaseUnavailable, DuplicateKey } from './database-errors.js';
import type { Question, SqlValue } from './session.js';
import type { Sql } from './sql.js';
import type { Table } from './table.js';

/** With fewer batches at a time, a handful of clients would wait for each other. */
const TOGETHER = { largest: 128, atOnce: 4, dealtOut: false };
const PAGES_TOGETHER = { largest: 32, atOnce: 8, dealtOut: true };
const LARGEST_ID = 2n ** 63n - 1n;

/**
 * The rows of a table, as its repository reads and writes them. Outside a unit of work, rows that are asked for at the same
 * time are read by one statement, and rows that come in at the same time are stored by one.
 */
export class Rows<Row extends { readonly id: bigint | string | number }> {
  readonly #reads = new Batch((ids: Int64[]) => this.#findAll(ids), { name: 'reads', ...TOGETHER });
  readonly #writes = new Batch((rows: SqlValue[][]) => this.#addTogether(rows), {
    name: 'writes',
    ...TOGETHER,
  });
  readonly #pages = new Batch((questions: Question[]) => this.#askAll(questions), {
    name: 'pages',
    ...PAGES_TOGETHER,
  });
  readonly #page: string;
  readonly #pageOfStatus: string;

  constructor(
    private readonly sql: Sql,
    private readonly table: Table,
  ) {
    this.#page = table.page();
    this.#pageOfStatus = table.pageOfStatus(sql.useIndex);
  }

  find(id: Int64): Promise<Row | undefined> {
    return this.sql.insideUnit ? this.#findOne(id) : this.#reads.add(id);
  }

  /** The selected rows, newest first. */
  list({ status, before, limit }: Selection<string>): Promise<Row[]> {
    const newest = before === undefined ? LARGEST_ID : before - 1n;
    const question =
      status === undefined
        ? { statement: this.#page, values: [newest, limit] }
        : { statement: this.#pageOfStatus, values: [status, newest, limit] };
    return this.sql.insideUnit
      ? this.sql.rows<Row>(question.statement, question.values)
      : this.#pages.add(question);
  }

  /** Stores a new row. If the same row is there already, an earlier try has stored it. @throws DuplicateKey */
  add(values: SqlValue[]): Promise<void> {
    return this.sql.insideUnit ? this.#addOne(values) : this.#writes.add(values);
  }

  /** Stores new rows, all or none. @throws DuplicateKey */
  async addAll(rows: readonly SqlValue[][]): Promise<void> {
    if (rows.length > 0) await this.sql.change(this.table.insert(rows.length), rows.flat());
  }

  /**
   * Compare and set: stores `values` in place of the row with this id, if its status is still `status`.
   * @returns false if a rival was faster
   */
  async replace(id: Int64, status: string, values: SqlValue[]): Promise<boolean> {
    return (await this.sql.change(this.table.replace, [...values, id, status])) === 1;
  }

  async #findOne(id: Int64): Promise<Row | undefined> {
    const [row] = await this.sql.rows<Row>(this.table.find(1), [id]);
    return row;
  }

  async #findAll(ids: Int64[]): Promise<PromiseSettledResult<Row | undefined>[]> {
    const rows = await this.sql.rows<Row>(this.table.find(ids.length), ids);
    const byId = new Map(rows.map((row) => [BigInt(row.id), row]));
    return ids.map((id) => done(byId.get(id)));
  }

  async #askAll(questions: Question[]): Promise<PromiseSettledResult<Row[]>[]> {
    const answers = await this.sql.rowsOfEach<Row>(questions);
    return answers.map(done);
  }

  async #addOne(values: SqlValue[]): Promise<void> {
    try {
      await this.sql.store(this.table.insert(1), values);
    } catch (error) {
      if (!(error instanceof DuplicateKey) || !(await this.#isStored(values))) throw error;
    }
  }

  /** Whether just this row is there; its first value is its id. */
  async #isStored(values: SqlValue[]): Promise<boolean> {
    const [id] = values;
    const [row] = await this.sql.rows<Record<string, unknown>>(this.table.find(1), [id!]);
    return this.table.columns.every((column, i) => String(row?.[column]) === String(values[i]));
  }

  /** A row that cannot be stored undoes the whole statement: then each is stored by itself, and fails by itself. */
  async #addTogether(rows: SqlValue[][]): Promise<PromiseSettledResult<void>[]> {
    try {
      await this.sql.store(this.table.insert(rows.length), rows.flat());
      return rows.map(() => done(undefined));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      return Promise.allSettled(rows.map((row) => this.#addOne(row)));
    }
  }
}

const done = <Value>(value: Value): PromiseFulfilledResult<Value> => ({ status: 'fulfilled', value });
