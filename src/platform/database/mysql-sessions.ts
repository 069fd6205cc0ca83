import type { PoolConnection, QueryError, QueryResult, ResultSetHeader } from 'mysql2';
import type { DataSource } from 'typeorm';
import { statementEnded, timed } from './database-channels.js';
import { tracing } from '../tracing/tracing.js';
import { translated } from './database-errors.js';
import type { HostPools } from './host-pools.js';
import { NO_ANSWER, NO_CONNECTION } from './outage.js';
import type { Outcome, PoolUsage, Question, Session, Sessions, SqlValue } from './session.js';

/** How long, in ms, somebody waits for a connection, and for the answer to a statement. */
const CONNECTION_TIME = 2_000;
const ANSWER_TIME = 3_500;

/** Connections to MySQL, from the pools of TypeORM's driver. */
export class MySqlSessions implements Sessions {
  readonly begin = 'START TRANSACTION';
  readonly useIndex = (name: string) => `FORCE INDEX (${name})`;

  constructor(private readonly source: DataSource) {}

  async once(statement: string, values: SqlValue[]): Promise<Outcome> {
    const session = await this.lend();
    try {
      return await session.run(statement, values);
    } finally {
      session.giveBack();
    }
  }

  /** One statement: the way to the server and back costs more than to find a page. */
  async ask(questions: Question[]): Promise<unknown[][]> {
    const [only] = questions;
    if (questions.length === 1) return [(await this.once(only!.statement, only!.values)).rows];
    const parts = questions.map(
      ({ statement }, i) => `(${statement.replace('SELECT', `SELECT ${i} AS question,`)})`,
    );
    const values = questions.flatMap((question) => question.values);
    const { rows } = await this.once(parts.join(' UNION ALL '), values);
    const answers: unknown[][] = questions.map(() => []);
    for (const row of rows as { question: number }[]) answers[row.question]!.push(row);
    return answers;
  }

  lend(): Promise<MySqlSession> {
    const pools = this.#pools;
    return new Promise((resolve, reject) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        reject(translated({ code: NO_CONNECTION }));
      }, CONNECTION_TIME);
      pools.getConnection((error, connection) => {
        clearTimeout(timer);
        if (late) connection?.release();
        else if (connection) resolve(new MySqlSession(connection, pools));
        // Only the full queue of a pool has no code.
        else reject(translated(error?.code ? error : { code: NO_CONNECTION }));
      });
    });
  }

  usage(): PoolUsage {
    return this.#pools.usage();
  }

  get #pools(): HostPools {
    return (this.source.driver as unknown as { pool: HostPools }).pool;
  }
}

class MySqlSession implements Session {
  #usable = true;

  constructor(
    private readonly connection: PoolConnection,
    private readonly pools: HostPools,
  ) {}

  run(statement: string, values: SqlValue[] = []): Promise<Outcome> {
    const { current } = tracing;
    const outcome = current
      ? current.statement('mysql', statement, () => this.#execute(statement, values))
      : this.#execute(statement, values);
    return statementEnded.hasSubscribers ? timed(outcome) : outcome;
  }

  /** A connection whose server does not answer, or cannot work, is not used again: its state is unknown. */
  #execute(statement: string, values: SqlValue[]): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        fail({ code: NO_ANSWER });
      }, ANSWER_TIME);
      const fail = (error: unknown) => {
        clearTimeout(timer);
        if (this.pools.failed(this.connection, error)) this.discard();
        reject(translated(error, statement));
      };
      this.connection.query(statement, values, (error: QueryError | null, result: QueryResult) => {
        if (error) return fail(error);
        clearTimeout(timer);
        this.pools.worked(this.connection);
        if (Array.isArray(result)) resolve({ rows: result, affected: 0 });
        else resolve({ rows: [], affected: (result as ResultSetHeader).affectedRows });
      });
    });
  }

  giveBack(): void {
    if (this.#usable) this.connection.release();
  }

  discard(): void {
    this.#usable = false;
    this.connection.destroy();
  }
}
