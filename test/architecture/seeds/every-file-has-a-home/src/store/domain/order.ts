export interface Order {
  readonly prices: readonly number[];
}
