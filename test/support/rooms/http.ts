// What tests use of the room http beyond its public API. If a file of the room moves, only this file changes.

// The server of a service that a test assembles, and its OpenAPI document.
export { JsonExpressAdapter } from '../../../src/platform/http/server/json-express.adapter.js';
export { ApiDocument, documentUrls } from '../../../src/platform/http/openapi/api-document.js';

// What shared tests ask a running service: its routes, its errors, its stored responses.
export { type Route, Routes } from '../../../src/platform/http/routes/routes.js';
export { ErrorCatalogue } from '../../../src/platform/http/errors/error-catalogue.js';
export {
  AlreadyCompleted,
  IdempotencyStore,
  type IdempotentRequest,
  type StoredResponse,
} from '../../../src/platform/http/idempotency/idempotency-store.js';

// Bounds that the guide for clients names.
export { MAX_DETAILS } from '../../../src/platform/http/errors/api-exception.js';
export { DEFAULT_LIMIT, MAX_LIMIT } from '../../../src/platform/http/lists/page.query.js';
export { MAX_ADDRESS_LENGTH, MAX_HEADERS } from '../../../src/platform/http/server/request-line.js';

// Functions with many cases, most of which a request cannot reach one by one.
export { checkBodyLimits } from '../../../src/platform/http/body/check-limits.js';
export { readBody } from '../../../src/platform/http/body/read-body.js';
export { HeadersOfWork, restoreHeaders } from '../../../src/platform/http/idempotency/headers-of-work.js';
export { type CursorScope, decodeCursor, encodeCursor } from '../../../src/platform/http/lists/cursor.js';
export { listingOf } from '../../../src/platform/http/lists/listing.js';
export type { SortKind } from '../../../src/platform/http/lists/sort-value.js';
export { link, textOfParameters } from '../../../src/platform/http/base-address.js';
export { answeredRequest, ApiRequest } from '../../../src/platform/http/request.js';
export { sendJson } from '../../../src/platform/http/server/send-json.js';
export { IsInt64, parseInstant } from '../../../src/platform/http/validation/own-rules.js';

// Objects with a state, whose tests count what a response does not show: bytes, reads, tries, slots.
export { BodyMemory } from '../../../src/platform/http/body/body-memory.js';
export { Idempotency } from '../../../src/platform/http/idempotency/idempotency.js';
export { BaseAddress } from '../../../src/platform/http/base-address.js';
export { Links } from '../../../src/platform/http/links.js';
export { Pager } from '../../../src/platform/http/lists/pager.js';
export { ReadCoalescer } from '../../../src/platform/http/lists/read-coalescer.js';
export { Admission } from '../../../src/platform/http/server/admission.js';
export { ApiResponse } from '../../../src/platform/http/server/express-messages.js';
export { RoutesAdapter } from '../../../src/platform/http/server/routes.adapter.js';
export {
  QueryCache,
  cachedQueryClass,
  isCachedQueryClass,
} from '../../../src/platform/http/validation/query-cache.js';

// Whole modules, which test/interleavings runs with and without faults.
export * as admission from '../../../src/platform/http/server/admission.js';
export * as drain from '../../../src/platform/http/server/drain.js';
export * as idempotency from '../../../src/platform/http/idempotency/idempotency.js';
export * as readCoalescer from '../../../src/platform/http/lists/read-coalescer.js';
