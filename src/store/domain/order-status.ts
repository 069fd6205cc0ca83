/** The status of an order. */
export const ORDER_STATUSES = ['placed', 'approved', 'delivered', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The allowed transitions: delivered and cancelled are final. */
const NEXT: Record<OrderStatus, readonly OrderStatus[]> = {
  placed: ['approved', 'delivered', 'cancelled'],
  approved: ['delivered', 'cancelled'],
  delivered: [],
  cancelled: [],
};

export function canTransition(from: OrderStatus, to: OrderStatus): boolean {
  return NEXT[from].includes(to);
}
