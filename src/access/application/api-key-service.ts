import type { Clock, Int64, RandomSource, Sequence, UnitOfWork } from '../../kernel/index.js';
import { ApiKey, type KeyAct, type KeyEvent, type KeyTerms, type Scope } from '../domain/api-key.js';
import { KeyNotFound, UnknownScopes } from '../domain/key-errors.js';
import { generateSecret, hashSecret, type KeyEnvironment, looksLikeSecret } from '../domain/key-secret.js';
import type { ApiKeyRepository } from '../ports/api-key-repository.js';
import { KeyCache } from './key-cache.js';

/** How long before the end of a key operators are warned. */
const ENDING_MS = 14 * 86_400_000;
/** The minimum time between two writes of the use of one key. */
const USE_INTERVAL_MS = 60_000;
/** The actor in the history of the keys that a start registers or issues. */
const START = 'the service, at its start';

/** A key together with its secret, which is shown only once and never stored. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/** Runs `work` while no other process does. @returns its result; undefined if `work` was not run, because the service stops */
type Alone = <Result>(work: () => Promise<Result>) => Promise<Result | undefined>;

/**
 * Issues, rotates and revokes API keys, and authenticates requests by them. `actor` names the person or process that asks for a
 * change.
 */
export class ApiKeyService {
  readonly #cache: KeyCache;
  /** Keys whose use is stored. A key is read again every 5 s, and is then another object. */
  readonly #withStoredUse = new WeakSet<ApiKey>();

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly units: UnitOfWork,
    private readonly ids: Sequence,
    private readonly clock: Clock,
    private readonly random: RandomSource,
    private readonly declaredScopes: () => readonly Scope[],
  ) {
    this.#cache = new KeyCache(clock);
  }

  /**
   * Makes sure that a new service has a key that works. It registers the operator's key. If there is no key at all and
   * `mayIssue`, it issues a test key. Because of `alone`, only one of several processes that start together issues a key.
   * @returns the secret of the issued key
   */
  async ensureKeys(
    bootstrapSecret: string | undefined,
    mayIssue: boolean,
    alone: Alone = (work) => work(),
  ): Promise<string | undefined> {
    if (bootstrapSecret !== undefined) await this.register('bootstrap', bootstrapSecret, START);
    if (!mayIssue || !(await this.keys.isEmpty())) return undefined;
    return alone(async () => {
      if (!(await this.keys.isEmpty())) return undefined;
      return (await this.issue({ name: 'first start' }, 'test', START)).secret;
    });
  }

  /** @throws UnknownScopes if no module declares one of the scopes */
  async issue(terms: KeyTerms, environment: KeyEnvironment, actor: string): Promise<IssuedKey> {
    if (terms.scopes) this.#checkScopes(terms.scopes);
    return this.units.run(() => this.#issue(terms, environment, actor));
  }

  #checkScopes(scopes: readonly Scope[]): void {
    const declared = this.declaredScopes();
    const unknown = scopes.filter((scope) => !declared.includes(scope));
    if (unknown.length > 0) throw new UnknownScopes(unknown, declared);
  }

  /** Registers a secret that was made elsewhere. Registering it again, or on several replicas at once, changes nothing. */
  async register(name: string, secret: string, actor: string): Promise<void> {
    if (await this.keys.findByHash(hashSecret(secret))) return;
    await this.units.run(() => this.#store({ name }, secret, 'registered', actor));
  }

  /** Issues a key with the same terms. The old key works for at most `overlap` ms more. @throws KeyNotFound, KeyNotUsable */
  rotate(id: Int64, overlap: number, environment: KeyEnvironment, actor: string): Promise<IssuedKey> {
    return this.units.run(async () => {
      const now = this.clock.now();
      const old = await this.get(id);
      await this.keys.change(id, (key) => key.retire(now + overlap, now));
      await this.#record(id, 'rotated', actor);
      return this.#issue(old.terms(), environment, actor);
    });
  }

  /**
   * Revokes a key. Every replica rejects it after 5 s at the latest. Without an actor the history does not contain the
   * revocation, because a full disk may have no room for one more row. @throws KeyNotFound
   */
  revoke(id: Int64, actor?: string): Promise<ApiKey> {
    return this.units.run(async () => {
      const revoked = await this.keys.change(id, (key) => key.revoke(this.clock.now()));
      if (actor !== undefined) await this.#record(id, 'revoked', actor);
      return revoked;
    });
  }

  /** The key of a secret; undefined if it is unknown, expired or revoked. The result may be up to 5 s older than the storage. */
  async authenticate(secret: string): Promise<ApiKey | undefined> {
    if (!looksLikeSecret(secret)) return undefined;
    const hash = hashSecret(secret);
    const key = await this.#cache.get(hash, (wasValid) => this.keys.findByHash(hash, wasValid));
    return key?.stateAt(this.clock.now()) === 'active' ? this.#recordUse(key) : undefined;
  }

  /** As `authenticate`, but only from the cache: undefined also for a key that is not cached. */
  authenticateFromCache(secret: string): ApiKey | undefined {
    const key = this.#cache.peek(hashSecret(secret));
    return key && this.#recordUse(key);
  }

  /** Stores when a key was last used, with the precision of a minute. The request does not wait for it. */
  #recordUse(key: ApiKey): ApiKey {
    const { id, lastUsedAt = -Infinity } = key;
    const now = this.clock.now();
    // A stored use may be later than now, if the clock was set back.
    if (this.#withStoredUse.has(key) || Math.abs(now - lastUsedAt) < USE_INTERVAL_MS) return key;
    this.#withStoredUse.add(key);
    // If the write fails, the next use is stored instead, and the request does not fail.
    this.keys.recordUse(id, now, USE_INTERVAL_MS).catch(() => this.#withStoredUse.delete(key));
    return key;
  }

  /** @throws KeyNotFound */
  async get(id: Int64): Promise<ApiKey> {
    const key = await this.keys.find(id);
    if (!key) throw new KeyNotFound(id);
    return key;
  }

  /** Every key that was ever issued, oldest first. */
  list(): Promise<ApiKey[]> {
    return this.keys.list();
  }

  /** The number of valid keys that end within 14 days. Rotated keys are left out, because they are meant to end. */
  async countEnding(): Promise<number> {
    const now = this.clock.now();
    return this.keys.countEnding(now, now + ENDING_MS);
  }

  /** The events of a key, oldest first. */
  historyOf(id: Int64): Promise<KeyEvent[]> {
    return this.keys.historyOf(id);
  }

  async #issue(terms: KeyTerms, environment: KeyEnvironment, actor: string): Promise<IssuedKey> {
    const secret = generateSecret(environment, this.random);
    return { key: await this.#store(terms, secret, 'issued', actor), secret };
  }

  async #store(terms: KeyTerms, secret: string, act: KeyAct, actor: string): Promise<ApiKey> {
    const key = ApiKey.issue(await this.ids.next(), terms, hashSecret(secret), this.clock.now());
    if (await this.keys.add(key)) await this.#record(key.id, act, actor);
    return key;
  }

  #record(keyId: Int64, act: KeyAct, actor: string): Promise<void> {
    return this.keys.record({ keyId, act, actor, at: this.clock.now() });
  }
}
