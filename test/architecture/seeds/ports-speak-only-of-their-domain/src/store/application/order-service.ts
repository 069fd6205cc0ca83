export interface PlacedOrder {
  readonly id: bigint;
}
