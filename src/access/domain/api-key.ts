import type { Int64 } from '../../kernel/int64.js';
import type { Rate } from '../../kernel/rate.js';
import { KeyNotUsable } from './key-errors.js';
import type { Scope } from './scope.js';

/** What the operator decides about a key. Times are milliseconds since 1970. */
export interface KeyTerms {
  readonly name: string;
  /** Absent: the key may do everything. */
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: number;
  /** Absent: the rate of the service, if it has one. */
  readonly rate?: Rate;
}

/** The facts of a key as they are stored. */
export interface ApiKeyFacts extends KeyTerms {
  readonly id: Int64;
  readonly secretHash: string;
  readonly createdAt: number;
  readonly revokedAt?: number;
  /** When another key took its place. */
  readonly rotatedAt?: number;
  readonly lastUsedAt?: number;
}

export type KeyState = 'active' | 'expired' | 'revoked';

/** Somebody's permission to use the service. Of its secret it knows only the hash. */
export class ApiKey {
  private constructor(readonly facts: ApiKeyFacts) {}

  /** A key that was just made for somebody. */
  static issue(id: Int64, terms: KeyTerms, secretHash: string, now: number): ApiKey {
    return new ApiKey({ ...terms, id, secretHash, createdAt: now });
  }

  /** Remembers a stored key. */
  static restore(facts: ApiKeyFacts): ApiKey {
    return new ApiKey(facts);
  }

  stateAt(now: number): KeyState {
    const { expiresAt, revokedAt } = this.facts;
    if (revokedAt !== undefined && now >= revokedAt) return 'revoked';
    return expiresAt !== undefined && now >= expiresAt ? 'expired' : 'active';
  }

  mayDo(scope: Scope): boolean {
    return this.facts.scopes?.includes(scope) ?? true;
  }

  /** Ends the key at once. Ending it again changes nothing. */
  revoke(now: number): ApiKey {
    return this.stateAt(now) === 'revoked' ? this : new ApiKey({ ...this.facts, revokedAt: now });
  }

  /** Lets the key live on until `end` at the longest, because another takes its place. @throws KeyNotUsable */
  retire(end: number, now: number): ApiKey {
    const state = this.facts.rotatedAt === undefined ? this.stateAt(now) : 'rotated already';
    if (state !== 'active') throw new KeyNotUsable(this.facts.id, state);
    return new ApiKey({
      ...this.facts,
      expiresAt: Math.min(end, this.facts.expiresAt ?? end),
      rotatedAt: now,
    });
  }

  /** What the operator decided about it, for a key that takes its place. */
  get terms(): KeyTerms {
    const { name, scopes, expiresAt, rate } = this.facts;
    return {
      name,
      ...(scopes && { scopes }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(rate && { rate }),
    };
  }
}
