import type { Int64 } from '../../kernel/index.js';
import type { ApiKey, KeyEvent } from '../domain/api-key.js';

/** What the API key service needs from storage. */
export abstract class ApiKeyRepository {
  /** Stores a new key in one step. If a key with the same secret exists, it stays unchanged. @returns whether the key is new */
  abstract add(key: ApiKey): Promise<boolean>;
  abstract find(id: Int64): Promise<ApiKey | undefined>;
  /**
   * Finds a key by the hash of its secret. A key that was valid when it was last read (`wasValid`) never waits for lookups of
   * unknown keys, because anyone can invent those.
   */
  abstract findByHash(secretHash: string, wasValid?: boolean): Promise<ApiKey | undefined>;
  /** Every key that was ever issued, oldest first. */
  abstract list(): Promise<ApiKey[]>;
  /** How many keys end after `from` and before `until`, without those that were rotated or revoked. */
  abstract countEnding(from: number, until: number): Promise<number>;
  /** Whether no key was ever issued. */
  abstract isEmpty(): Promise<boolean>;
  /**
   * Changes when a key ends, in one step. If `change` throws, nothing is stored. If another change was faster, `change` is called
   * again with the newer state. @throws KeyNotFound
   */
  abstract change(id: Int64, change: (key: ApiKey) => ApiKey): Promise<ApiKey>;
  /** Stores the time of a use, unless a use less than `interval` ms before it is stored already. */
  abstract recordUse(id: Int64, at: number, interval: number): Promise<void>;
  /** Adds an event to the history of keys, which is never deleted. */
  abstract record(event: KeyEvent): Promise<void>;
  /** The events of one key, oldest first. */
  abstract historyOf(id: Int64): Promise<KeyEvent[]>;
}
