/** What may be bound to a `?` of a statement. */
export type SqlValue = string | number | bigint | Buffer | null;

/** What a statement found or did. */
export interface Outcome {
  /** Integers come as bigint, string or number, whichever is exact. */
  readonly rows: unknown[];
  /** How many rows it found and changed. */
  readonly affected: number;
}

/** A statement that only reads, and its values. */
export interface Question {
  readonly statement: string;
  readonly values: SqlValue[];
}

/** A connection that belongs to one unit of work until it is given back. */
export interface Session {
  run(statement: string, values?: SqlValue[]): Promise<Outcome>;
  giveBack(): void;
  /** Closes it, because its state is unknown; nobody gets it any more. */
  discard(): void;
}

/** How the connections stand. */
export interface PoolUsage {
  readonly used: number;
  /** Open, and used by nobody. */
  readonly free: number;
  /** How many wait for a connection. */
  readonly waiting: number;
}

/**
 * The connections that TypeORM's driver keeps, without what its query runners add to each statement. What they throw is in
 * our words: DatabaseUnavailable, DuplicateKey, StatementFailed.
 */
export interface Sessions {
  /** How a unit of work begins on this engine. */
  readonly begin: string;
  /** What stands behind a table's name to have it read through one of its indexes, whatever the statistics say. */
  useIndex(name: string): string;
  /** Runs one statement on any connection. */
  once(statement: string, values: SqlValue[]): Promise<Outcome>;
  /** The rows of several questions, which have the same columns and begin with SELECT, at the cost of as few as possible. */
  ask(questions: Question[]): Promise<unknown[][]>;
  lend(): Promise<Session>;
  usage(): PoolUsage;
}
