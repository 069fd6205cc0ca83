export interface OrderRow {
  readonly id: bigint;
}
