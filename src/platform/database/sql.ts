import type { DataSource } from 'typeorm';
import { DatabaseUnavailable } from './database-errors.js';
import { MySqlSessions } from './mysql-sessions.js';
import { type Repeatable, Retries } from './retries.js';
import type { Outcome, PoolUsage, Question, Sessions, SqlValue } from './session.js';
import { SqliteSessions } from './sqlite-sessions.js';
import { Transactions } from './transactions.js';

/**
 * The one way of every repository to its tables. Inside a unit of work a statement runs on the unit's connection, else on
 * any. What fails only because the database cannot work is tried again here, and nowhere else.
 */
export class Sql {
  readonly #sessions: Sessions;
  readonly #transactions: Transactions;
  readonly #retries = new Retries();
  #open = false;

  constructor(private readonly source: DataSource) {
    const sqlite = source.options.type === 'better-sqlite3';
    this.#sessions = sqlite ? new SqliteSessions(source) : new MySqlSessions(source);
    this.#transactions = new Transactions(this.#sessions);
  }

  /** From now on statements may run: the schema is there. */
  open(): void {
    this.#open = true;
  }

  /** See `Sessions`. */
  get useIndex(): Sessions['useIndex'] {
    return this.#sessions.useIndex;
  }

  /** Integers come as bigint, string or number, whichever is exact: read them with `BigInt`. */
  async rows<Row>(statement: string, values: SqlValue[] = []): Promise<Row[]> {
    return (await this.#execute('always', statement, values)).rows as Row[];
  }

  /** The rows of several statements that read alike: they begin with SELECT and have the same columns. Outside units only. */
  rowsOfEach<Row>(questions: Question[]): Promise<Row[][]> {
    return this.#try('always', () => this.#sessions.ask(questions) as Promise<Row[][]>);
  }

  /** @returns how many rows the statement found and changed. @throws DuplicateKey */
  async change(statement: string, values: SqlValue[] = []): Promise<number> {
    return (await this.#execute('if undone', statement, values)).affected;
  }

  /** The same for a statement that does no harm if it is done twice, as may happen when a connection is lost. */
  async store(statement: string, values: SqlValue[] = []): Promise<number> {
    return (await this.#execute('always', statement, values)).affected;
  }

  /** How the connections stand, which are open only after the start. */
  usage(): PoolUsage {
    return this.source.isInitialized ? this.#sessions.usage() : { used: 0, free: 0, waiting: 0 };
  }

  get insideUnit(): boolean {
    return this.#transactions.current !== undefined;
  }

  /** Runs `work` as if it had been called from outside the current unit. The unit must not wait for it. */
  outsideUnit<Result>(work: () => Result): Result {
    return this.#transactions.outside(work);
  }

  /** One transaction around `work`, run again as a whole where it may be; inside another it is part of that one. */
  transaction<Result>(work: () => Promise<Result>, repeatable: Repeatable = 'if undone'): Promise<Result> {
    return this.insideUnit ? work() : this.#try(repeatable, () => this.#transactions.run(work));
  }

  #execute(repeatable: Repeatable, statement: string, values: SqlValue[]): Promise<Outcome> {
    const { current } = this.#transactions;
    // What fails inside a unit fails the unit, which is tried again as a whole.
    if (current) return current.run(statement, values);
    return this.#try(repeatable, () => this.#sessions.once(statement, values));
  }

  #try<Result>(repeatable: Repeatable, work: () => Promise<Result>): Promise<Result> {
    return this.#retries.run(repeatable, () => {
      if (!this.#open || !this.source.isInitialized) throw new DatabaseUnavailable();
      return work();
    });
  }
}
