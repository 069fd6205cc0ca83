import type { Int64 } from '../../kernel/int64.js';

/** The facts of a key as they are stored. Times are milliseconds since 1970. */
export interface ApiKeyFacts {
  readonly id: Int64;
  readonly name: string;
  readonly secretHash: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}

/** Somebody's permission to use the service. Of its secret it knows only the hash. */
export class ApiKey {
  private constructor(readonly facts: ApiKeyFacts) {}

  /** A key that was just made for somebody. */
  static issue(id: Int64, name: string, secretHash: string, now: number): ApiKey {
    return new ApiKey({ id, name, secretHash, createdAt: now });
  }

  /** Remembers a stored key. */
  static restore(facts: ApiKeyFacts): ApiKey {
    return new ApiKey(facts);
  }

  /** Whether the key opens the door at this time. */
  isGoodAt(now: number): boolean {
    const { expiresAt, revokedAt } = this.facts;
    return (expiresAt === undefined || now < expiresAt) && (revokedAt === undefined || now < revokedAt);
  }
}
