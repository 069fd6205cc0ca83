import type { Int64 } from '../../kernel/int64.js';
import type { KeyEvent } from '../domain/key-event.js';

/** What was done to keys, for those who must know later. Nothing is ever taken out. */
export abstract class KeyHistory {
  abstract record(event: KeyEvent): Promise<void>;
  /** The events of one key, oldest first. */
  abstract of(keyId: Int64): Promise<KeyEvent[]>;
}
