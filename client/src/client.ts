import type { PetStoreOptions } from './client-options.js';
import type { CallOptions, CreateOptions } from './options.js';
import { Orders } from './orders.js';
import type { List, Page } from './pages.js';
import { Pets } from './pets.js';
import type { ApiPromise } from './response.js';
import { Transport } from './transport.js';
import {
  type BodyOf,
  del,
  get,
  type ItemOf,
  list,
  listPage,
  patch,
  type PathListOptions,
  post,
  type ResultOf,
  type WithQuery,
} from './verbs.js';

/**
 * A client of the Pet Store API. Each method has a function that is also exported alone. Each method throws PetStoreError or
 * PetStoreUnreachable.
 */
export class PetStoreClient {
  readonly pets: Pets;
  /** @experimental The service may change or remove these operations. */
  readonly orders: Orders;
  readonly #transport: Transport;

  /** @throws TypeError, RangeError if an option is unusable */
  constructor(options?: PetStoreOptions) {
    this.#transport = new Transport(options);
    this.pets = new Pets(this.#transport);
    this.orders = new Orders(this.#transport);
  }

  /** A list below `baseUrl`, for lists without a method of their own, page by page: {@link list}. */
  list<Path extends string>(path: Path, options?: PathListOptions<Path>): List<ItemOf<Path>> {
    return list(this.#transport, path, options);
  }

  /** One page of a list below `baseUrl`, and the cursor of the next page: {@link listPage}. */
  listPage<Path extends string>(path: Path, options?: PathListOptions<Path>): ApiPromise<Page<ItemOf<Path>>> {
    return listPage(this.#transport, path, options);
  }

  /** Gets a resource below `baseUrl`, for operations without a method of their own: {@link get}. */
  get<Path extends string>(path: Path, options?: CallOptions & WithQuery): ApiPromise<ResultOf<'GET', Path>> {
    return get(this.#transport, path, options);
  }

  /** Posts to a path below `baseUrl`, with an `Idempotency-Key`: {@link post}. */
  post<Path extends string>(
    path: Path,
    body?: BodyOf<'POST', Path>,
    options?: CreateOptions & WithQuery,
  ): ApiPromise<ResultOf<'POST', Path>> {
    return post(this.#transport, path, body, options);
  }

  /** Changes a resource. The request is not repeated if it may have arrived: {@link patch}. */
  patch<Path extends string>(
    path: Path,
    body: BodyOf<'PATCH', Path>,
    options?: CallOptions & WithQuery,
  ): ApiPromise<ResultOf<'PATCH', Path>> {
    return patch(this.#transport, path, body, options);
  }

  /** Deletes a resource. A 404 may mean that an earlier try has deleted it: {@link del}. */
  delete<Path extends string>(
    path: Path,
    options?: CallOptions & WithQuery,
  ): ApiPromise<ResultOf<'DELETE', Path>> {
    return del(this.#transport, path, options);
  }
}
