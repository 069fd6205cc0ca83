import type { Chance } from '../../kernel/chance.js';
import type { Clock } from '../../kernel/clock.js';
import type { Sequence } from '../../kernel/sequence.js';
import { ApiKey } from '../domain/api-key.js';
import { hashSecret, type KeyEnvironment, looksLikeSecret, mintSecret } from '../domain/key-secret.js';
import type { ApiKeyRepository } from '../ports/api-key-repository.js';
import type { KeyCache } from './key-cache.js';

/** A key together with its secret, which is shown this once and never stored. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/** All API keys: issues them and recognises who comes with one. */
export class KeyRing {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly ids: Sequence,
    private readonly cache: KeyCache,
    private readonly clock: Clock,
    private readonly chance: Chance,
  ) {}

  async issue(name: string, environment: KeyEnvironment): Promise<IssuedKey> {
    const secret = mintSecret(environment, this.chance);
    return { key: await this.#store(name, secret), secret };
  }

  /** Admits a secret that was made elsewhere. Doing so again, or on several replicas at once, changes nothing. */
  async register(name: string, secret: string): Promise<void> {
    if (await this.keys.findByHash(hashSecret(secret))) return;
    await this.#store(name, secret);
  }

  /** The key that a secret opens with, unless it is unknown, expired or revoked. May be up to 5 s behind the storage. */
  async recognise(secret: string): Promise<ApiKey | undefined> {
    if (!looksLikeSecret(secret)) return undefined;
    const hash = hashSecret(secret);
    const key = await this.cache.get(hash, () => this.keys.findByHash(hash));
    return key?.isGoodAt(this.clock.now()) ? key : undefined;
  }

  /** Whether no key was ever issued: then nobody can use the service yet. */
  isEmpty(): Promise<boolean> {
    return this.keys.isEmpty();
  }

  async #store(name: string, secret: string): Promise<ApiKey> {
    const key = ApiKey.issue(await this.ids.next(), name, hashSecret(secret), this.clock.now());
    await this.keys.add(key);
    return key;
  }
}
