import type { Int64 } from '../../kernel/int64.js';

export interface Order {
  readonly id: Int64;
}
