export { PetStoreClient } from './client.js';
export type { PetStoreOptions } from './client-options.js';
export type { Deprecation } from './deprecation.js';
export {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  type ErrorCode,
  type ErrorDetail,
  GoneError,
  NotFoundError,
  NotModifiedError,
  PermissionDeniedError,
  PetStoreError,
  PetStoreUnreachable,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  UnprocessableEntityError,
} from './errors.js';
export type { CallOptions, CreateOptions, Logger, RetryOptions, TryDetails } from './options.js';
export {
  createOrder,
  getOrder,
  listOrders,
  listOrdersPage,
  type NewOrder,
  type Order,
  type OrderChange,
  type OrderListOptions,
  type Orders,
  type OrderStatus,
  updateOrder,
} from './orders.js';
export type { List, ListOptions, Page, ToArrayOptions } from './pages.js';
export {
  createPet,
  getPet,
  listPets,
  listPetsPage,
  type NewPet,
  type Pet,
  type PetListOptions,
  type Pets,
  type PetStatus,
} from './pets.js';
export type { ApiPromise, ApiResponse, WithResponse } from './response.js';
export { type Query, Transport } from './transport.js';
export {
  type BodyOf,
  del,
  get,
  type ItemOf,
  list,
  listPage,
  patch,
  type PathListOptions,
  post,
  type QueryOf,
  type ResultOf,
  type WithQuery,
} from './verbs.js';
