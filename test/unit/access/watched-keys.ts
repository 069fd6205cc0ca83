import { MemoryApiKeyRepository } from '../../../src/access/adapters/memory/memory-api-key-repository.js';
import { ApiKey, type ApiKeyFacts } from '../../../src/access/domain/api-key.js';

/** The memory storage of keys, which counts how often it is asked, can be out of order, and lets an operator change a key. */
export class WatchedKeys extends MemoryApiKeyRepository {
  reads = 0;
  outOfOrder = false;
  readonly #changes = new Map<string, Partial<ApiKeyFacts>>();

  override async findByHash(secretHash: string): Promise<ApiKey | undefined> {
    this.reads += 1;
    if (this.outOfOrder) throw new Error('the storage is out of order');
    const key = await super.findByHash(secretHash);
    return key && ApiKey.restore({ ...key.facts, ...this.#changes.get(secretHash) });
  }

  change(key: ApiKey, facts: Partial<ApiKeyFacts>): void {
    this.#changes.set(key.facts.secretHash, facts);
  }
}
