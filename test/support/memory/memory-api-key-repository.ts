import type { Int64 } from '../../../src/kernel/int64.js';
import { loaded } from '../loaded.js';
import { MemoryUnitOfWork } from './memory-unit-of-work.js';
import { ApiKey, type KeyEvent } from '../../../src/access/domain/api-key.js';
import { KeyNotFound } from '../../../src/access/domain/key-errors.js';
import { ApiKeyRepository } from '../../../src/access/ports/api-key-repository.js';

/** Keeps keys in memory, for tests that need no database. */
export class MemoryApiKeyRepository extends ApiKeyRepository {
  readonly #keys: Map<Int64, ApiKey>;
  readonly #events: Map<number, KeyEvent>;

  constructor(private readonly units = new MemoryUnitOfWork()) {
    super();
    this.#keys = units.table();
    this.#events = units.table();
  }

  override add(key: ApiKey): Promise<boolean> {
    return this.units.run(async () => {
      if (this.#withHash(key.secretHash)) return false;
      this.#keys.set(key.id, key);
      return true;
    });
  }

  override find(id: Int64): Promise<ApiKey | undefined> {
    return this.units.run(async () => this.#keys.get(id));
  }

  override findByHash(secretHash: string): Promise<ApiKey | undefined> {
    return this.units.run(async () => this.#withHash(secretHash));
  }

  override list(): Promise<ApiKey[]> {
    return this.units.run(async () => [...this.#keys.values()].sort((a, b) => (a.id < b.id ? -1 : 1)));
  }

  override async countEnding(from: number, until: number): Promise<number> {
    const isEnding = ({ expiresAt = Infinity, revokedAt, rotatedAt }: ApiKey) =>
      expiresAt > from && expiresAt < until && (revokedAt ?? rotatedAt) === undefined;
    return (await this.list()).filter(isEnding).length;
  }

  override isEmpty(): Promise<boolean> {
    return this.units.run(async () => this.#keys.size === 0);
  }

  override change(id: Int64, change: (key: ApiKey) => ApiKey): Promise<ApiKey> {
    return this.units.run(async () => {
      const key = this.#keys.get(id);
      if (!key) throw new KeyNotFound(id);
      const changed = change(key);
      this.#keys.set(id, changed);
      return changed;
    });
  }

  override recordUse(id: Int64, at: number, interval: number): Promise<void> {
    return this.units.run(async () => {
      const key = this.#keys.get(id);
      if (key && (key.lastUsedAt ?? 0) <= at - interval) {
        this.#keys.set(id, loaded(ApiKey, { ...key, lastUsedAt: at }));
      }
    });
  }

  override record(event: KeyEvent): Promise<void> {
    return this.units.run(async () => void this.#events.set(this.#events.size, event));
  }

  override historyOf(id: Int64): Promise<KeyEvent[]> {
    return this.units.run(async () => [...this.#events.values()].filter(({ keyId }) => keyId === id));
  }

  #withHash(secretHash: string): ApiKey | undefined {
    return [...this.#keys.values()].find((key) => key.secretHash === secretHash);
  }
}
