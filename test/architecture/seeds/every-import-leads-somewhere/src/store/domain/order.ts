import type { OrderLine } from './order-line.js';

export interface Order {
  readonly lines: readonly OrderLine[];
}
