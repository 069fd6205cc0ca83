import type { Int64 } from '../../kernel/index.js';
import type { ApiKey, KeyEvent } from '../domain/api-key.js';

/** What the API key service needs from storage. */
export abstract class ApiKeyRepository {
  /** Stores a new key as a single step; a key with the same secret stays unchanged. @returns whether the key is new */
  abstract add(key: ApiKey): Promise<boolean>;
  abstract find(id: Int64): Promise<ApiKey | undefined>;
  /** A key that was good at its last read (`wasGood`) never waits for keys that nobody may ever have had. */
  abstract findByHash(secretHash: string, wasGood?: boolean): Promise<ApiKey | undefined>;
  /** Every key that was ever issued, oldest first. */
  abstract list(): Promise<ApiKey[]>;
  /** How many keys end after `from` and before `until`, without those that were rotated or revoked. */
  abstract countEnding(from: number, until: number): Promise<number>;
  /** Whether no key was ever issued. */
  abstract isEmpty(): Promise<boolean>;
  /**
   * Changes when one key ends, as a single step; nothing is stored if `change` throws. If another change was faster, `change`
   * is called again with the newer properties. @throws KeyNotFound
   */
  abstract change(id: Int64, change: (key: ApiKey) => ApiKey): Promise<ApiKey>;
  /** Stores the time of a use, unless a use less than `interval` ms before it is stored already. */
  abstract recordUse(id: Int64, at: number, interval: number): Promise<void>;
  /** Adds to the audit log of keys, which is kept for ever. */
  abstract record(event: KeyEvent): Promise<void>;
  /** The events of one key, oldest first. */
  abstract historyOf(id: Int64): Promise<KeyEvent[]>;
}
