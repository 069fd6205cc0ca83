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

/**
 * Orders for animals. Each function throws PetStoreError or PetStoreUnreachable.
 * @experimental The service may change it, or not have it.
 */
export class Orders {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All orders, newest first, or those with a status; page by page, as `pets.list`. */
  list(options: ListOptions<OrderStatus> = {}): AsyncGenerator<Order, void, undefined> {
    return fetchAll((cursor) => this.listPage({ ...options, cursor }), options.cursor);
  }

  /** One page of that list, and the cursor of the next. */
  listPage(options?: ListOptions<OrderStatus>): ApiPromise<Page<Order>> {
    return fetchPage(this.#transport, 'listOrders', '/store/orders', options);
  }

  /** Places an order, once, even if it takes several tries. The animal is `pending` from then on. */
  create(order: NewOrder, { idempotencyKey: key, ...options }: CreateOptions = {}): ApiPromise<Order> {
    return this.#transport.send(() => {
      readInteger('petId', order?.petId);
      const idempotencyKey = readIdempotencyKey(key);
      const path = '/store/orders';
      return { operation: 'createOrder', method: 'POST', path, body: order, idempotencyKey, options };
    });
  }

  /**
   * Moves an order on: `delivered` makes its animal `sold`, `cancelled` `available` again. The service carries this out
   * each time it arrives, so it is not sent again where it may have arrived.
   */
  update(id: Order['id'], change: OrderChange, options: CallOptions = {}): ApiPromise<Order> {
    return this.#transport.send(() => {
      const path = `/store/orders/${readInteger('id', id)}`;
      return { operation: 'updateOrder', method: 'PATCH', path, body: change, options };
    });
  }
}
