/** The statuses that an order can change to. */
export const ORDER_MOVES = ['approved', 'delivered', 'cancelled'] as const;
export const ORDER_STATUSES = ['placed', ...ORDER_MOVES] as const;
export type OrderMove = (typeof ORDER_MOVES)[number];
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The allowed transitions. Delivered and cancelled are final. */
const NEXT: Record<OrderStatus, readonly OrderMove[]> = {
  placed: ['approved', 'delivered', 'cancelled'],
  approved: ['delivered', 'cancelled'],
  delivered: [],
  cancelled: [],
};

export function canTransition(from: OrderStatus, to: OrderMove): boolean {
  return NEXT[from].includes(to);
}
