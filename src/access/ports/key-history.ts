import type { Int64 } from '../../kernel/int64.js';
import type { KeyEvent } from '../domain/api-key.js';

/** The audit log of keys; it is kept for ever. */
export abstract class KeyHistory {
  abstract record(event: KeyEvent): Promise<void>;
  /** The events of one key, oldest first. */
  abstract of(keyId: Int64): Promise<KeyEvent[]>;
}
