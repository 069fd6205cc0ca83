import type { Clock, Int64, RandomSource, Sequence, UnitOfWork } from '../../kernel/index.js';
import { ApiKey, type KeyAct, type KeyEvent, type KeyTerms, type Scope } from '../domain/api-key.js';
import { KeyNotFound, UnknownScopes } from '../domain/key-errors.js';
import { generateSecret, hashSecret, type KeyEnvironment, looksLikeSecret } from '../domain/key-secret.js';
import type { ApiKeyRepository } from '../ports/api-key-repository.js';
import { KeyCache } from './key-cache.js';

/** How long before its end operators hear of a key. */
const ENDING_MS = 14 * 86_400_000;
/** The minimum time between two writes of the use of one key. */
const USE_INTERVAL_MS = 60_000;
/** The actor in the history of the first keys. */
const START = 'the service, at its start';

/** A key together with its secret, which is shown only once and never stored. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/** @returns the result of `work`; undefined if it was not run, because the service stops */
type Alone = <Result>(work: () => Promise<Result>) => Promise<Result | undefined>;

/** Issues, rotates and revokes API keys, and authenticates requests by them. `actor` is whoever asks for a change. */
export class ApiKeyService {
  readonly #cache: KeyCache;
  /** The use of these is stored. A key is read again every 5 s, and is another object then. */
  readonly #noted = new WeakSet<ApiKey>();

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
   * Makes sure that a new service has a key that works: registers the operator's key; if there is no key at all, issues a test
   * key if it may. `alone` runs its work while no other process does this; of several that start together one issues the key.
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

  /** @throws UnknownScopes for scopes that no module declares */
  async issue(terms: KeyTerms, environment: KeyEnvironment, actor: string): Promise<IssuedKey> {
    if (terms.scopes) this.#checkScopes(terms.scopes);
    return this.units.run(() => this.#issue(terms, environment, actor));
  }

  #checkScopes(scopes: readonly Scope[]): void {
    const declared = this.declaredScopes();
    const unknown = scopes.filter((scope) => !declared.includes(scope));
    if (unknown.length > 0) throw new UnknownScopes(unknown, declared);
  }

  /** Registers a secret that was made elsewhere. Doing so again, or on several replicas at once, changes nothing. */
  async register(name: string, secret: string, actor: string): Promise<void> {
    if (await this.keys.findByHash(hashSecret(secret))) return;
    await this.units.run(() => this.#store({ name }, secret, 'registered', actor));
  }

  /** Issues a key with the same terms; the old one works for at most `overlap` ms more. @throws KeyNotFound, KeyNotUsable */
  rotate(id: Int64, overlap: number, environment: KeyEnvironment, actor: string): Promise<IssuedKey> {
    return this.units.run(async () => {
      const now = this.clock.now();
      const { terms } = await this.get(id);
      await this.keys.change(id, (key) => key.retire(now + overlap, now));
      await this.#record(id, 'rotated', actor);
      return this.#issue(terms, environment, actor);
    });
  }

  /**
   * Revokes a key: no replica accepts it after 5 s at the latest. Without an actor its history does not say so, for a storage that
   * has no room for one more line. @throws KeyNotFound
   */
  revoke(id: Int64, actor?: string): Promise<ApiKey> {
    return this.units.run(async () => {
      const revoked = await this.keys.change(id, (key) => key.revoke(this.clock.now()));
      if (actor !== undefined) await this.#record(id, 'revoked', actor);
      return revoked;
    });
  }

  /** The key of a secret; undefined if it is unknown, expired or revoked. May lag up to 5 s behind the storage. */
  async authenticate(secret: string): Promise<ApiKey | undefined> {
    if (!looksLikeSecret(secret)) return undefined;
    const hash = hashSecret(secret);
    const key = await this.#cache.get(hash, (wasGood) => this.keys.findByHash(hash, wasGood));
    return key?.stateAt(this.clock.now()) === 'active' ? this.#used(key) : undefined;
  }

  /** As `authenticate`, from the cache alone: undefined also for a key that is not cached. */
  authenticateFromCache(secret: string): ApiKey | undefined {
    const key = this.#cache.peek(hashSecret(secret));
    return key && this.#used(key);
  }

  /** Stores when a key was last used, to the minute. The request does not wait for it. */
  #used(key: ApiKey): ApiKey {
    const { id, lastUsedAt = -Infinity } = key.props;
    const now = this.clock.now();
    // A stored use may be later than now, if the clock was set back.
    if (this.#noted.has(key) || Math.abs(now - lastUsedAt) < USE_INTERVAL_MS) return key;
    this.#noted.add(key);
    // The next use makes up for a failed write; no request fails because of it.
    this.keys.recordUse(id, now, USE_INTERVAL_MS).catch(() => this.#noted.delete(key));
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

  /** How many valid keys end within 14 days, without those that were rotated: they are meant to end. */
  async countEnding(): Promise<number> {
    const now = this.clock.now();
    return this.keys.countEnding(now, now + ENDING_MS);
  }

  /** What was done to a key, oldest first. */
  historyOf(id: Int64): Promise<KeyEvent[]> {
    return this.keys.historyOf(id);
  }

  async #issue(terms: KeyTerms, environment: KeyEnvironment, actor: string): Promise<IssuedKey> {
    const secret = generateSecret(environment, this.random);
    return { key: await this.#store(terms, secret, 'issued', actor), secret };
  }

  async #store(terms: KeyTerms, secret: string, act: KeyAct, actor: string): Promise<ApiKey> {
    const key = ApiKey.issue(await this.ids.next(), terms, hashSecret(secret), this.clock.now());
    if (await this.keys.add(key)) await this.#record(key.props.id, act, actor);
    return key;
  }

  #record(keyId: Int64, act: KeyAct, actor: string): Promise<void> {
    return this.keys.record({ keyId, act, actor, at: this.clock.now() });
  }
}
