import type { Int64, Rate } from '../../kernel/index.js';
import { KeyNotUsable } from './key-errors.js';

/** A permission, as an area and a verb: `pets:read`. Modules declare the scopes that their operations require. */
export type Scope = string;

/** What the operator decides about a key. Times are milliseconds since 1970. */
export interface KeyTerms {
  readonly name: string;
  /** If absent, the key may do everything. */
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: number;
  /** If absent, the rate of the service applies, if there is one. */
  readonly rate?: Rate;
}

/** The properties of a key as they are stored. */
export interface ApiKeyProps extends KeyTerms {
  readonly id: Int64;
  readonly secretHash: string;
  readonly createdAt: number;
  readonly revokedAt?: number;
  /** When another key took its place. */
  readonly rotatedAt?: number;
  readonly lastUsedAt?: number;
}

export type KeyState = 'active' | 'expired' | 'revoked';

/** A permission to use the service. It contains only the hash of its secret. */
export class ApiKey {
  private constructor(readonly props: ApiKeyProps) {}

  /** A new key. */
  static issue(id: Int64, terms: KeyTerms, secretHash: string, now: number): ApiKey {
    return new ApiKey({ ...terms, id, secretHash, createdAt: now });
  }

  /** Restores a stored key. */
  static restore(props: ApiKeyProps): ApiKey {
    return new ApiKey(props);
  }

  /** A revoked key is revoked at any `now`, because the clock that its revocation was written by may be ahead. */
  stateAt(now: number): KeyState {
    const { expiresAt = Infinity, revokedAt } = this.props;
    if (revokedAt !== undefined) return 'revoked';
    return now >= expiresAt ? 'expired' : 'active';
  }

  get name(): string {
    return this.props.name;
  }

  /** Undefined if the key may do everything. */
  get scopes(): readonly Scope[] | undefined {
    return this.props.scopes;
  }

  /**
   * Whether the key has the scope that an operation requires. An operation without a scope is only for keys without restriction.
   */
  mayDo(scope: Scope | undefined): boolean {
    return this.scopes === undefined || (scope !== undefined && this.scopes.includes(scope));
  }

  /** Ends the key at once. Revoking it again changes nothing. */
  revoke(now: number): ApiKey {
    return new ApiKey({ ...this.props, revokedAt: this.props.revokedAt ?? now });
  }

  /** Lets the key expire at `end` at the latest, because another replaces it. @throws KeyNotUsable */
  retire(end: number, now: number): ApiKey {
    const state = this.props.rotatedAt === undefined ? this.stateAt(now) : 'rotated already';
    if (state !== 'active') throw new KeyNotUsable(this.props.id, state);
    const expiresAt = Math.min(end, this.props.expiresAt ?? end);
    return new ApiKey({ ...this.props, expiresAt, rotatedAt: now });
  }

  /** The operator's decisions, for a key that replaces this one. */
  get terms(): KeyTerms {
    const { name, scopes, expiresAt, rate } = this.props;
    return { name, scopes, expiresAt, rate };
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
