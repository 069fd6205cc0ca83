import type { components } from './api-types.js';
import { type CallOptions, type CreateOptions, readIdempotencyKey, readInteger } from './options.js';
import { fetchAll, fetchPage, type ListOptions, type Page } from './pages.js';
import type { ApiPromise } from './response.js';
import type { Transport } from './transport.js';

/** An order for an animal. `id` and `petId` are bigint. */
export type Order = components['schemas']['Order'];
export type NewOrder = components['schemas']['NewOrder'];
export type OrderStatus = components['schemas']['OrderStatus'];
export type OrderChange = components['schemas']['OrderChange'];

export interface OrderListOptions extends ListOptions<OrderStatus> {
  /** Only orders for this animal. */
  readonly petId?: Order['petId'] | undefined;
}

/**
 * All orders, newest first, or those with a status or for an animal; page by page, as `listPets`.
 * @experimental The service may change it, or not have it.
 */
export function listOrders(
  transport: Transport,
  options: OrderListOptions = {},
): AsyncGenerator<Order, void, undefined> {
  return fetchAll((cursor) => listOrdersPage(transport, { ...options, cursor }), options.cursor);
}

/**
 * One page of that list, and the cursor of the next.
 * @experimental The service may change it, or not have it.
 */
export function listOrdersPage(
  transport: Transport,
  { petId, ...options }: OrderListOptions = {},
): ApiPromise<Page<Order>> {
  return fetchPage(transport, 'listOrders', '/store/orders', options, () => ({
    petId: petId === undefined ? undefined : readInteger('petId', petId),
  }));
}

/**
 * Places an order, once, even if it takes several tries. The animal becomes `pending`.
 * @experimental The service may change it, or not have it.
 */
export function createOrder(
  transport: Transport,
  order: NewOrder,
  { idempotencyKey: key, ...options }: CreateOptions = {},
): ApiPromise<Order> {
  return transport.send(() => {
    readInteger('petId', order?.petId);
    const idempotencyKey = readIdempotencyKey(key);
    const path = '/store/orders';
    return { operation: 'createOrder', method: 'POST', path, body: order, idempotencyKey, options };
  });
}

/**
 * One order. Its `ETag` is what `If-Match` of `updateOrder` compares.
 * @experimental The service may change it, or not have it.
 */
export function getOrder(
  transport: Transport,
  id: Order['id'],
  options: CallOptions = {},
): ApiPromise<Order> {
  return transport.send(() => {
    const path = `/store/orders/${readInteger('id', id)}`;
    return { operation: 'getOrder', method: 'GET', path, options };
  });
}

/**
 * Moves an order on: `delivered` makes its animal `sold`, `cancelled` `available` again. It is not sent again where it may have
 * arrived; do so yourself where nobody else moves the order: to the status that it has is no change.
 * @experimental The service may change it, or not have it.
 */
export function updateOrder(
  transport: Transport,
  id: Order['id'],
  change: OrderChange,
  options: CallOptions = {},
): ApiPromise<Order> {
  return transport.send(() => {
    const path = `/store/orders/${readInteger('id', id)}`;
    if (typeof change !== 'object') throw new TypeError('updateOrder needs an object to send.');
    return { operation: 'updateOrder', method: 'PATCH', path, body: change, options };
  });
}

/**
 * Orders for animals. Each function throws PetStoreError or PetStoreUnreachable.
 * @experimental The service may change it, or not have it.
 */
export class Orders {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All orders, newest first, or those with a status or for an animal, page by page: {@link listOrders}. */
  list(options?: OrderListOptions): AsyncGenerator<Order, void, undefined> {
    return listOrders(this.#transport, options);
  }

  /** One page of that list, and the cursor of the next: {@link listOrdersPage}. */
  listPage(options?: OrderListOptions): ApiPromise<Page<Order>> {
    return listOrdersPage(this.#transport, options);
  }

  /** Places an order, once, even if it takes several tries: {@link createOrder}. */
  create(order: NewOrder, options?: CreateOptions): ApiPromise<Order> {
    return createOrder(this.#transport, order, options);
  }

  /** One order: {@link getOrder}. */
  get(id: Order['id'], options?: CallOptions): ApiPromise<Order> {
    return getOrder(this.#transport, id, options);
  }

  /** Moves an order on; not sent again where it may have arrived: {@link updateOrder}. */
  update(id: Order['id'], change: OrderChange, options?: CallOptions): ApiPromise<Order> {
    return updateOrder(this.#transport, id, change, options);
  }
}
