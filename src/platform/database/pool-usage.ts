/** How the connections to the database stand. */
export interface PoolUsage {
  readonly used: number;
  /** Open, and used by nobody. */
  readonly free: number;
  /** How many wait for a connection. */
  readonly waiting: number;
}
