export { PetStoreClient, type PetStoreOptions } from './client.js';
export type { Deprecation } from './deprecation.js';
export {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  type ErrorCode,
  type ErrorDetail,
  GoneError,
  NotFoundError,
  PermissionDeniedError,
  PetStoreError,
  PetStoreUnreachable,
  RateLimitError,
  ServerError,
  UnprocessableEntityError,
} from './errors.js';
export type { CallOptions, CreateOptions, Logger, RetryOptions, TryDetails } from './options.js';
export type { NewOrder, Order, OrderChange, Orders, OrderStatus } from './orders.js';
export type { ListOptions, Page } from './pages.js';
export type { NewPet, Pet, Pets, PetStatus } from './pets.js';
export type { ApiPromise, ApiResponse, WithResponse } from './response.js';
