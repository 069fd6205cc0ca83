import { MemoryUnitOfWork } from '../../../platform/memory/memory-unit-of-work.js';
import type { ApiKey } from '../../domain/api-key.js';
import { ApiKeyRepository } from '../../ports/api-key-repository.js';

/** Keeps keys in memory: the double of every test that needs no database. */
export class MemoryApiKeyRepository extends ApiKeyRepository {
  readonly #byHash: Map<string, ApiKey>;

  constructor(private readonly units = new MemoryUnitOfWork()) {
    super();
    this.#byHash = units.table();
  }

  override add(key: ApiKey): Promise<boolean> {
    return this.units.run(async () => {
      if (this.#byHash.has(key.facts.secretHash)) return false;
      this.#byHash.set(key.facts.secretHash, key);
      return true;
    });
  }

  override findByHash(secretHash: string): Promise<ApiKey | undefined> {
    return this.units.run(async () => this.#byHash.get(secretHash));
  }

  override isEmpty(): Promise<boolean> {
    return this.units.run(async () => this.#byHash.size === 0);
  }
}
