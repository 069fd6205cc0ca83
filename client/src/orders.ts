import type { components } from './api-types.js';
import {
  type CallOptions,
  type CreateOptions,
  isGiven,
  readIdempotencyKey,
  readInteger,
  readOptions,
} from './options.js';
import {
  fetchPage,
  type List,
  type ListOptions,
  listOf,
  type Page,
  pageRequest,
  withCursor,
} from './pages.js';
import type { ApiPromise } from './response.js';
import type { Transport } from './transport.js';

/** An order for a pet. `id` and `petId` are bigint. */
export type Order = components['schemas']['Order'];
export type NewOrder = components['schemas']['NewOrder'];
export type OrderStatus = components['schemas']['OrderStatus'];
export type OrderChange = components['schemas']['OrderChange'];

export interface OrderListOptions extends ListOptions<OrderStatus> {
  /** Only orders for this pet. */
  readonly petId?: Order['petId'] | undefined;
}

/**
 * All orders, newest first. The options select the orders with a status or for a pet. Pages are fetched as by `listPets`.
 * @experimental The service may change or remove this operation.
 */
export function listOrders(transport: Transport, options?: OrderListOptions): List<Order> {
  return listOf((cursor) => listOrdersPage(transport, withCursor(options, cursor)));
}

/**
 * One page of the list of orders, and the cursor of the next page.
 * @experimental The service may change or remove this operation.
 */
export function listOrdersPage(transport: Transport, options?: OrderListOptions): ApiPromise<Page<Order>> {
  return fetchPage(transport, () => {
    const { petId: given, ...others } = readOptions(options, 'listOrders');
    const petId = isGiven(given) ? readInteger('petId', given) : undefined;
    return pageRequest('listOrders', '/store/orders', others, { petId });
  });
}

/**
 * Places an order once, even if it takes several tries. The pet becomes `pending`.
 * @experimental The service may change or remove this operation.
 */
export function createOrder(
  transport: Transport,
  order: NewOrder,
  options?: CreateOptions,
): ApiPromise<Order> {
  return transport.send(() => {
    const { idempotencyKey: key, ...others } = readOptions(options, 'createOrder');
    readInteger('petId', order?.petId);
    const idempotencyKey = readIdempotencyKey(key);
    const path = '/store/orders';
    return { operation: 'createOrder', method: 'POST', path, body: order, idempotencyKey, options: others };
  });
}

/**
 * One order. `updateOrder` sends the `ETag` of its response back as `If-Match`.
 * @experimental The service may change or remove this operation.
 */
export function getOrder(transport: Transport, id: Order['id'], options?: CallOptions): ApiPromise<Order> {
  return transport.send(() => {
    const path = `/store/orders/${readInteger('id', id)}`;
    return { operation: 'getOrder', method: 'GET', path, options };
  });
}

/**
 * Changes the status of an order: `delivered` makes its pet `sold`, and `cancelled` makes it `available` again. The request is
 * not repeated if it may have arrived. If nobody else changes the order, you can repeat it yourself, because a change to the
 * present status changes nothing.
 * @experimental The service may change or remove this operation.
 */
export function updateOrder(
  transport: Transport,
  id: Order['id'],
  change: OrderChange,
  options?: CallOptions,
): ApiPromise<Order> {
  return transport.send(() => {
    const path = `/store/orders/${readInteger('id', id)}`;
    if (typeof change !== 'object' || change === null)
      throw new TypeError('updateOrder needs an object to send.');
    return { operation: 'updateOrder', method: 'PATCH', path, body: change, options };
  });
}

/**
 * Orders for pets. Each function throws PetStoreError or PetStoreUnreachable.
 * @experimental The service may change or remove these operations.
 */
export class Orders {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All orders, newest first, or the orders with a status or for a pet, page by page: {@link listOrders}. */
  list(options?: OrderListOptions): List<Order> {
    return listOrders(this.#transport, options);
  }

  /** One page of the list of orders, and the cursor of the next page: {@link listOrdersPage}. */
  listPage(options?: OrderListOptions): ApiPromise<Page<Order>> {
    return listOrdersPage(this.#transport, options);
  }

  /** Places an order once, even if it takes several tries: {@link createOrder}. */
  create(order: NewOrder, options?: CreateOptions): ApiPromise<Order> {
    return createOrder(this.#transport, order, options);
  }

  /** One order: {@link getOrder}. */
  get(id: Order['id'], options?: CallOptions): ApiPromise<Order> {
    return getOrder(this.#transport, id, options);
  }

  /** Changes the status of an order. The request is not repeated if it may have arrived: {@link updateOrder}. */
  update(id: Order['id'], change: OrderChange, options?: CallOptions): ApiPromise<Order> {
    return updateOrder(this.#transport, id, change, options);
  }
}
