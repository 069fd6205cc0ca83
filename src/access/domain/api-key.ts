import type { Int64, Properties, Rate } from '../../kernel/index.js';
import { KeyNotUsable } from './key-errors.js';

/** A permission, as an area and a verb: `pets:read`. Modules declare the scopes that their operations require. */
export type Scope = string;

export type KeyState = 'active' | 'expired' | 'revoked';

/** What the operator decides about a key. */
export type KeyTerms = Pick<ApiKey, 'name' | 'scopes' | 'expiresAt' | 'rate'>;

/**
 * A permission to use the service. It contains only the hash of its secret. Times are milliseconds since 1970. Immutable: `revoke`
 * and `retire` return the next state of the key.
 */
export class ApiKey {
  readonly id!: Int64;
  readonly name!: string;
  readonly secretHash!: string;
  /** If absent, the key may do everything. */
  readonly scopes?: readonly Scope[];
  /** If absent, the rate of the service applies, if there is one. */
  readonly rate?: Rate;
  readonly createdAt!: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  /** When another key took its place. */
  readonly rotatedAt?: number;
  readonly lastUsedAt?: number;

  private constructor(properties: Properties<ApiKey>) {
    Object.assign(this, properties);
  }

  /** Creates a key with the hash of its secret. */
  static issue(id: Int64, terms: KeyTerms, secretHash: string, createdAt: number): ApiKey {
    return new ApiKey({ ...terms, id, secretHash, createdAt });
  }

  /** A revoked key is revoked at any `now`, because the clock that its revocation was written by may be ahead. */
  stateAt(now: number): KeyState {
    if (this.revokedAt !== undefined) return 'revoked';
    return now >= (this.expiresAt ?? Infinity) ? 'expired' : 'active';
  }

  /**
   * Whether the key has the scope that an operation requires. An operation without a scope is only for keys without restriction.
   */
  mayDo(scope: Scope | undefined): boolean {
    return this.scopes === undefined || (scope !== undefined && this.scopes.includes(scope));
  }

  /** The operator's decisions, for a key that replaces this one. */
  terms(): KeyTerms {
    const { name, scopes, expiresAt, rate } = this;
    return { name, scopes, expiresAt, rate };
  }

  /** Ends the key at once. Revoking it again changes nothing. */
  revoke(now: number): ApiKey {
    return new ApiKey({ ...this, revokedAt: this.revokedAt ?? now });
  }

  /** Lets the key expire at `end` at the latest, because another replaces it. @throws KeyNotUsable */
  retire(end: number, now: number): ApiKey {
    const state = this.rotatedAt === undefined ? this.stateAt(now) : 'rotated already';
    if (state !== 'active') throw new KeyNotUsable(this.id, state);
    return new ApiKey({ ...this, expiresAt: Math.min(end, this.expiresAt ?? end), rotatedAt: now });
  }
}

export type KeyAct = 'issued' | 'registered' | 'rotated' | 'revoked';

/** An event of a key: its actor, its act, and its time in milliseconds since 1970. */
export interface KeyEvent {
  readonly keyId: Int64;
  readonly act: KeyAct;
  readonly actor: string;
  readonly at: number;
}
