// What tests use of the room http beyond its public API. If a file of the room moves, only this file changes.

export { BodyMemory } from '../../../src/platform/http/body/body-memory.js';
export { checkBodyLimits } from '../../../src/platform/http/body/check-limits.js';
export { readBody } from '../../../src/platform/http/body/read-body.js';
export { Deprecations } from '../../../src/platform/http/deprecation/deprecation.js';
export { MAX_DETAILS } from '../../../src/platform/http/errors/api-exception.js';
export { ErrorCatalogue } from '../../../src/platform/http/errors/error-catalogue.js';
export { PLATFORM_ERRORS } from '../../../src/platform/http/errors/error-codes.js';
export { pointerTo, toErrorResponse } from '../../../src/platform/http/errors/error-response.js';
export { ErrorFilter } from '../../../src/platform/http/errors/error.filter.js';
export { uriReference } from '../../../src/platform/http/errors/write-error.js';
export { HeadersOfWork, restoreHeaders } from '../../../src/platform/http/idempotency/headers-of-work.js';
export { Idempotency } from '../../../src/platform/http/idempotency/idempotency.js';
export {
  AlreadyCompleted,
  IdempotencyStore,
  type IdempotentRequest,
  type StoredResponse,
} from '../../../src/platform/http/idempotency/idempotency-store.js';
export {
  BaseAddress,
  Links,
  link,
  textOfParameters,
  trustedProxies,
} from '../../../src/platform/http/links.js';
export { type CursorScope, decodeCursor, encodeCursor } from '../../../src/platform/http/lists/cursor.js';
export { type SortKind, listShapeOf, listingOf } from '../../../src/platform/http/lists/listing.js';
export { DEFAULT_LIMIT, MAX_LIMIT } from '../../../src/platform/http/lists/page.query.js';
export { Pager } from '../../../src/platform/http/lists/pager.js';
export { ReadCoalescer } from '../../../src/platform/http/lists/read-coalescer.js';
export { ApiDocument, documentUrls } from '../../../src/platform/http/openapi/api-document.js';
export { requestFacts } from '../../../src/platform/http/request-facts.js';
export { type Route, RouteGuard, Routes } from '../../../src/platform/http/routes.js';
export { Admission } from '../../../src/platform/http/server/admission.js';
export { ApiResponse, expressMessages } from '../../../src/platform/http/server/express-messages.js';
export { JsonExpressAdapter } from '../../../src/platform/http/server/json-express.adapter.js';
export { MAX_ADDRESS_LENGTH, MAX_HEADERS } from '../../../src/platform/http/server/request-line.js';
export { RoutesAdapter } from '../../../src/platform/http/server/routes.adapter.js';
export { sendJson } from '../../../src/platform/http/server/send-json.js';
export { IsInstant, IsInt64, IsText, parseInstant } from '../../../src/platform/http/validation/own-rules.js';
export {
  codeOf,
  fieldProblems,
  isKnownRule,
  knownFields,
} from '../../../src/platform/http/validation/problems.js';
export { QueryCache, isKept, keptClass } from '../../../src/platform/http/validation/query-cache.js';
export * as admission from '../../../src/platform/http/server/admission.js';
export * as drain from '../../../src/platform/http/server/drain.js';
export * as idempotency from '../../../src/platform/http/idempotency/idempotency.js';
export * as readCoalescer from '../../../src/platform/http/lists/read-coalescer.js';
