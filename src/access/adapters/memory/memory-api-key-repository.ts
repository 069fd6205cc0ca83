import type { ApiKey } from '../../domain/api-key.js';
import { ApiKeyRepository } from '../../ports/api-key-repository.js';

/** Keeps keys in memory: the double of every test that needs no database. */
export class MemoryApiKeyRepository extends ApiKeyRepository {
  readonly #byHash = new Map<string, ApiKey>();

  override async add(key: ApiKey): Promise<boolean> {
    if (this.#byHash.has(key.secretHash)) return false;
    this.#byHash.set(key.secretHash, key);
    return true;
  }

  override async findByHash(secretHash: string): Promise<ApiKey | undefined> {
    return this.#byHash.get(secretHash);
  }

  override async isEmpty(): Promise<boolean> {
    return this.#byHash.size === 0;
  }
}
