// What tests use of the room http beyond its public API. If a file of the room moves, only this file changes.

// The server of a service that a test assembles, and its OpenAPI document.
export { JsonExpressAdapter } from '../../../src/platform/http/server/json-express.adapter.js';
export { ApiDocument, documentUrls } from '../../../src/platform/http/openapi/api-document.js';

// What shared tests ask a running service: its routes, its errors, its stored responses.
export { UnreachableRoutes } from '../../../src/platform/http/routes/unreachable-routes.js';
export { type Route, Routes } from '../../../src/platform/http/routes/routes.js';
export { ErrorCatalogue } from '../../../src/platform/http/errors/error-catalogue.js';
export {
  AlreadyCompleted,
  IdempotencyStore,
  type StoredResponse,
} from '../../../src/platform/http/idempotency/idempotency-store.js';

// Functions with many cases, most of which a request cannot reach one by one.
export { checkBodyLimits } from '../../../src/platform/http/body/check-limits.js';
export { readBody } from '../../../src/platform/http/body/read-body.js';
export { type CursorScope, decodeCursor, encodeCursor } from '../../../src/platform/http/lists/cursor.js';
export { factsOf } from '../../../src/platform/http/request.js';
export { QueryParametersGuard } from '../../../src/platform/http/validation/query-parameters.guard.js';
export { IsInstant, IsInt64 } from '../../../src/platform/http/validation/own-rules.js';

// Counts the bytes of bodies, which a response does not show.
export { BodyMemory } from '../../../src/platform/http/body/body-memory.js';

// Whole modules, which test/interleavings runs with and without faults. Unit tests use their classes, too.
export * as admission from '../../../src/platform/http/server/admission.js';
export * as drain from '../../../src/platform/http/server/drain.js';
export * as idempotency from '../../../src/platform/http/idempotency/idempotency.js';
export * as readCoalescer from '../../../src/platform/http/lists/read-coalescer.js';
