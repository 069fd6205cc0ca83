import type { RandomSource } from '../../kernel/random-source.js';
import type { Clock } from '../../kernel/clock.js';
import type { Int64 } from '../../kernel/int64.js';
import type { Sequence } from '../../kernel/sequence.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';
import { ApiKey, type KeyAct, type KeyEvent, type KeyTerms } from '../domain/api-key.js';
import { KeyNotFound } from '../domain/key-errors.js';
import {
  generateSecret,
  hashSecret,
  isSameHash,
  type KeyEnvironment,
  looksLikeSecret,
} from '../domain/key-secret.js';
import type { ApiKeyRepository } from '../ports/api-key-repository.js';
import type { KeyHistory } from '../ports/key-history.js';
import type { KeyCache } from './key-cache.js';
import type { LastUse } from './last-use.js';

/** How long before its end operators hear of a key. */
const ENDING_MS = 14 * 86_400_000;

/** The dependencies of `ApiKeyService`. */
export interface ApiKeyServiceDependencies {
  readonly keys: ApiKeyRepository;
  readonly history: KeyHistory;
  readonly units: UnitOfWork;
  readonly ids: Sequence;
  readonly cache: KeyCache;
  readonly lastUse: LastUse;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** A key together with its secret, which is shown only once and never stored. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/** Issues, rotates and revokes API keys, and authenticates requests by them. `actor` is whoever asks for a change. */
export class ApiKeyService {
  constructor(private readonly deps: ApiKeyServiceDependencies) {}

  issue(terms: KeyTerms, environment: KeyEnvironment, actor: string): Promise<IssuedKey> {
    return this.deps.units.run(() => this.#issue(terms, environment, actor));
  }

  /** Registers a secret that was made elsewhere. Doing so again, or on several replicas at once, changes nothing. */
  register(name: string, secret: string, actor: string): Promise<void> {
    return this.deps.units.run(async () => {
      if (await this.deps.keys.findByHash(hashSecret(secret))) return;
      await this.#store({ name }, secret, 'registered', actor);
    });
  }

  /** Issues a key with the same terms; the old one works for at most `overlap` ms more. @throws KeyNotFound, KeyNotUsable */
  rotate(id: Int64, overlap: number, environment: KeyEnvironment, actor: string): Promise<IssuedKey> {
    return this.deps.units.run(async () => {
      const now = this.deps.clock.now();
      const { terms } = await this.get(id);
      await this.deps.keys.change(id, (key) => key.retire(now + overlap, now));
      await this.#record(id, 'rotated', actor);
      return this.#issue(terms, environment, actor);
    });
  }

  /** Revokes a key: no replica accepts it after 5 s at the latest. @throws KeyNotFound */
  revoke(id: Int64, actor: string): Promise<ApiKey> {
    return this.deps.units.run(async () => {
      const revoked = await this.deps.keys.change(id, (key) => key.revoke(this.deps.clock.now()));
      await this.#record(id, 'revoked', actor);
      return revoked;
    });
  }

  /** Revokes a key without a history entry, for a storage that has no room for one. */
  revokeUnrecorded(id: Int64): Promise<ApiKey> {
    return this.deps.keys.change(id, (key) => key.revoke(this.deps.clock.now()));
  }

  /** The key of a secret; undefined if it is unknown, expired or revoked. May lag up to 5 s behind the storage. */
  async authenticate(secret: string): Promise<ApiKey | undefined> {
    if (!looksLikeSecret(secret)) return undefined;
    const hash = hashSecret(secret);
    const key = await this.deps.cache.get(hash, () => this.deps.keys.findByHash(hash));
    if (key?.stateAt(this.deps.clock.now()) !== 'active' || !isSameHash(key.props.secretHash, hash))
      return undefined;
    this.deps.lastUse.record(key);
    return key;
  }

  /** As `authenticate`, from the cache alone: undefined also for a key that is not cached. */
  authenticateFromCache(secret: string): ApiKey | undefined {
    const key = this.deps.cache.peek(hashSecret(secret));
    if (key) this.deps.lastUse.record(key);
    return key;
  }

  /** Whether a secret belonged to a good key at its last lookup, however long ago. */
  isKnown(secret: string): boolean {
    return this.deps.cache.has(hashSecret(secret));
  }

  /** @throws KeyNotFound */
  async get(id: Int64): Promise<ApiKey> {
    const key = await this.deps.keys.find(id);
    if (!key) throw new KeyNotFound(id);
    return key;
  }

  /** Every key that was ever issued, oldest first. */
  list(): Promise<ApiKey[]> {
    return this.deps.keys.list();
  }

  /** How many valid keys end within 14 days, without those that were rotated: they are meant to end. */
  async countEnding(): Promise<number> {
    const now = this.deps.clock.now();
    const isEnding = ({ props: { expiresAt, rotatedAt } }: ApiKey) =>
      expiresAt !== undefined && expiresAt - now < ENDING_MS && rotatedAt === undefined;
    return (await this.list()).filter((key) => key.stateAt(now) === 'active' && isEnding(key)).length;
  }

  /** What was done to a key, oldest first. */
  historyOf(id: Int64): Promise<KeyEvent[]> {
    return this.deps.history.of(id);
  }

  /** Whether no key was ever issued. */
  isEmpty(): Promise<boolean> {
    return this.deps.keys.isEmpty();
  }

  async #issue(terms: KeyTerms, environment: KeyEnvironment, actor: string): Promise<IssuedKey> {
    const secret = generateSecret(environment, this.deps.random);
    return { key: await this.#store(terms, secret, 'issued', actor), secret };
  }

  async #store(terms: KeyTerms, secret: string, act: KeyAct, actor: string): Promise<ApiKey> {
    const { keys, ids, clock } = this.deps;
    const key = ApiKey.issue(await ids.next(), terms, hashSecret(secret), clock.now());
    if (await keys.add(key)) await this.#record(key.props.id, act, actor);
    return key;
  }

  #record(keyId: Int64, act: KeyAct, actor: string): Promise<void> {
    return this.deps.history.record({ keyId, act, actor, at: this.deps.clock.now() });
  }
}
