import type { Clock } from '../../../kernel/clock.js';
import { DuplicateKey } from '../../database/database-errors.js';
import type { Sql } from '../../database/sql.js';

const KEPT_FOR = 24 * 3_600_000;

/** Which request is meant: a client's key is its own, and is another one for another operation. */
export interface Attempt {
  readonly caller: string;
  readonly operation: string;
  readonly key: string;
  /** SHA-256 of the body in hex. */
  readonly bodyHash: string;
}

/** An answer as it went out. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Another replica has answered the same attempt in the meantime. */
export class AnsweredMeanwhile extends Error {}

/** Keeps the answers of requests that carry an `Idempotency-Key`, for 24 hours. */
export class StoredAnswers {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** What was answered to an attempt with this key, and to which body; undefined if it is new. */
  async find(attempt: Attempt): Promise<{ bodyHash: string; answer: StoredAnswer } | undefined> {
    const [row] = await this.sql.rows<{ body_hash: string; answer: string }>(
      `SELECT body_hash, answer FROM stored_answers
       WHERE caller = ? AND operation = ? AND idempotency_key = ? AND expires_at > ?`,
      [attempt.caller, attempt.operation, attempt.key, this.clock.now()],
    );
    return row && { bodyHash: row.body_hash, answer: JSON.parse(row.answer) as StoredAnswer };
  }

  /** Keeps an answer, in the unit of work that its effect belongs to. @throws AnsweredMeanwhile */
  async keep(attempt: Attempt, answer: StoredAnswer): Promise<void> {
    try {
      await this.#insert(attempt, answer);
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
      if (!(await this.#forgetExpired(attempt))) throw new AnsweredMeanwhile();
      await this.#insert(attempt, answer);
    }
  }

  /** Forgets what is too old. @returns how many answers that were */
  purge(): Promise<number> {
    return this.sql.change('DELETE FROM stored_answers WHERE expires_at <= ?', [this.clock.now()]);
  }

  async #insert({ caller, operation, key, bodyHash }: Attempt, answer: StoredAnswer): Promise<void> {
    await this.sql.change(
      `INSERT INTO stored_answers (caller, operation, idempotency_key, body_hash, answer, expires_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      [caller, operation, key, bodyHash, JSON.stringify(answer), this.clock.now() + KEPT_FOR],
    );
  }

  /** @returns whether an answer to this attempt was there that is too old to count */
  async #forgetExpired({ caller, operation, key }: Attempt): Promise<boolean> {
    const gone = await this.sql.change(
      'DELETE FROM stored_answers WHERE caller = ? AND operation = ? AND idempotency_key = ? AND expires_at <= ?',
      [caller, operation, key, this.clock.now()],
    );
    return gone > 0;
  }
}
