import type { Database as SqliteFile, Statement } from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { statementEnded } from './database-channels.js';
import { tracing } from '../tracing/tracing.js';
import { translated } from './database-errors.js';
import type { Outcome, PoolUsage, Question, Session, Sessions, SqlValue } from './session.js';
import { Turns } from './turns.js';

/**
 * The one connection that TypeORM gives SQLite. Each unit and each lone statement takes a turn on it, or one request could
 * write into, and lose with, the transaction of another.
 */
export class SqliteSessions implements Sessions {
  // Takes SQLite's write lock at once: asked for in mid-transaction, it could be refused to the command line's rival.
  readonly begin = 'BEGIN IMMEDIATE';
  readonly useIndex = (name: string) => `INDEXED BY ${name}`;
  readonly #turns = new Turns();
  /** All that ever ran: some hundred texts, for lists of values have a largest length. None may be forgotten: see `keepObjects`. */
  readonly #prepared = new Map<string, Statement>();

  constructor(private readonly source: DataSource) {}

  once(statement: string, values: SqlValue[]): Promise<Outcome> {
    return this.#turns.take(() => this.#run(statement, values));
  }

  /** There is no way to and fro that could be saved. */
  ask(questions: Question[]): Promise<unknown[][]> {
    return this.#turns.take(() =>
      questions.map(({ statement, values }) => [...this.#run(statement, values).rows]),
    );
  }

  lend(): Promise<Session> {
    return new Promise((resolve) => {
      const turn = () =>
        new Promise<void>((giveBack) => {
          // This is the only connection: whatever its state, the next unit has to begin on it.
          resolve({
            run: async (statement, values = []) => this.#run(statement, values),
            giveBack,
            discard: giveBack,
          });
        });
      void this.#turns.take(turn);
    });
  }

  usage(): PoolUsage {
    const used = Math.min(this.#turns.count, 1);
    return { used, free: 1 - used, waiting: this.#turns.count - used };
  }

  #run(statement: string, values: SqlValue[]): Outcome {
    const { current } = tracing;
    if (!current) return this.#execute(statement, values);
    return current.statement('sqlite', statement, () => this.#execute(statement, values));
  }

  #execute(statement: string, values: SqlValue[]): Outcome {
    const begunAt = statementEnded.hasSubscribers ? performance.now() : 0;
    try {
      const prepared = this.#prepare(statement);
      if (prepared.reader) return { rows: prepared.all(...values), affected: 0 };
      return { rows: [], affected: prepared.run(...values).changes };
    } catch (error) {
      throw translated(error, statement);
    } finally {
      if (begunAt > 0) statementEnded.publish(performance.now() - begunAt);
    }
  }

  #prepare(statement: string): Statement {
    const known = this.#prepared.get(statement);
    if (known) return known;
    const { databaseConnection } = this.source.driver as unknown as { databaseConnection: SqliteFile };
    const prepared = databaseConnection.prepare(statement);
    this.#prepared.set(statement, prepared);
    return prepared;
  }
}
