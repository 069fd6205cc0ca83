/** The state of the connection pool. */
export interface PoolUsage {
  readonly used: number;
  /** Open, and used by nobody. */
  readonly free: number;
  /** How many callers wait for a connection. */
  readonly waiting: number;
}
