/** Why the service is not to be sent requests. The codes are for programs and never change. */
export interface Reason {
  readonly code: 'starting' | 'migrations_missing' | 'database_busy' | 'database_unavailable' | 'stopping';
  readonly message: string;
  /** Since when this process knows, in RFC 3339. */
  readonly since: string;
}

/** A probe is told that the service is not ready. `cause` is what anybody is told, the reasons are for operators. */
export class NotReady extends Error {
  constructor(
    override readonly cause: unknown,
    readonly reasons: readonly Reason[] | undefined,
  ) {
    super('The service is not ready.');
  }
}
