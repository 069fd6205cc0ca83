import type { Int64 } from '../../kernel/int64.js';

export type KeyAct = 'issued' | 'registered' | 'rotated' | 'revoked';

/** Who did what to a key, and when (milliseconds since 1970). */
export interface KeyEvent {
  readonly keyId: Int64;
  readonly act: KeyAct;
  readonly actor: string;
  readonly at: number;
}
