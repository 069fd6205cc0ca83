// The door of this room: what a module may use, besides Nest, class-validator and class-transformer themselves.

/** What the document says of a route, and which scope and errors it has: one decorator for each operation. */
export { CreateOperation, DescribedTag, ListOperation, Operation } from './openapi/operation.decorator.js';
/** Fields of a DTO, each with its rules, its conversion and its part of the document. */
export {
  BooleanField,
  DayField,
  EnumField,
  IdField,
  IdsField,
  InstantField,
  Int64Field,
  IntegerField,
  MayBeAbsent,
  ReadOnly,
  TextField,
  WordsField,
} from './validation/dto.decorators.js';
export { DecimalField } from './validation/decimal-field.js';
/** The changes of a merge patch: null removes a value, absent fields keep theirs. */
export { type Changes, changesOf } from './validation/merge-patch.js';
/** Judges plain data as the body of a request is judged. */
export { DtoValidationPipe } from './validation/validation.pipe.js';
/** An id in the path. */
export { Id } from './id.js';
/** The query of a list, and what the list does with its fields: filters, the order, ranges. */
export { PageQuery } from './lists/page.query.js';
export { SortField } from './lists/sort-field.js';
export type { ListOptions } from './lists/listing.js';
/** Responds with a page; `@SharedPages()` shares it between equal requests of all callers. */
export { cursorAfter, Paged, type Paging, SharedPages } from './lists/pager.js';
/** A POST that is safe to send again; the address of what it made; the check of `If-Match`. */
export { Idempotent, type Once } from './idempotency/idempotency.js';
export { Location, type SetLocation } from './location.js';
export { IfMatch, type Precondition } from './precondition.js';
/** The end of an operation: told in headers from now on, 410 after its sunset. */
export { Deprecated } from './deprecation/deprecated.decorator.js';
export type { Deprecation } from './deprecation/deprecation.js';
/** A route without a key; its errors and its scope where `@Operation` does not name them. */
export { ApiErrors, Public, RequireScope, Stability } from './route.decorators.js';
/** How much of a body a route takes; what a parameter decorator of a module reads. */
export { BodyLimit, readsOnlyDeclared } from './route.decorators.js';
/** Who calls; scopes inside a handler, and scopes that no route requires. */
export { Caller, callerMay, requireScope } from './caller.js';
export { DeclaredScopes, Scopes } from './scopes.js';
/** For a guard: the route of a request, who calls, and how it refuses. */
export { CHALLENGE, insufficientScope, setCaller } from './caller.js';
export { ApiException } from './errors/api-exception.js';
export { routeOf } from './routes.js';
export { countHeader } from './server/request-line.js';
