// The public API of this room: what a module may use, besides Nest, class-validator and class-transformer themselves.

/** What the OpenAPI document says about a route, and which scope and errors the route has. An operation has one of these decorators. */
export { CreateOperation, DescribedTag, ListOperation, Operation } from './openapi/operation.decorator.js';
/** Fields of a DTO, each with its rules, its conversion and its part of the OpenAPI document. */
export {
  BooleanField,
  DayField,
  EnumField,
  Fixed,
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
/** The changes of a merge patch: null removes a value, and absent fields keep their values. */
export { type Changes, changesOf } from './validation/merge-patch.js';
/** Validates plain data in the same way as the body of a request. */
export { DtoValidationPipe } from './validation/validation.pipe.js';
/** An id in the path. */
export { Id } from './id.js';
/** The query of a list, and what the list does with its fields: filters, the order, ranges. */
export { PageQuery } from './lists/page.query.js';
export { SortField } from './lists/sort-field.js';
export type { ListOptions } from './lists/listing.js';
/** Returns a page. With `@SharedPages()`, equal requests of all callers share a page. */
export { cursorAfter, Paged, type Paging, SharedPages } from './lists/pager.js';
/** A POST that is safe to send again, the URL of what it created, and the check of `If-Match`. */
export { Idempotent, type Once } from './idempotency/idempotency.js';
export { Location, type SetLocation } from './location.js';
export { IfMatch, type Precondition } from './precondition.js';
/** The name under which clients save the content of a response. */
export { Attachment, type SetAttachment } from './attachment.js';
/** The removal of an operation: announced in headers, and 410 from then on. */
export { Deprecated } from './deprecation/deprecated.decorator.js';
export type { Deprecation } from './deprecation/deprecation.js';
/** A route that needs no key. The errors, the scope and the stability of a route whose `@Operation` does not name them. */
export { ApiErrors, Public, RequireScope, Stability } from './routes/route.decorators.js';
/** The size of the body that a route accepts, and what a parameter decorator of a module reads. */
export { BodyLimit, readsOnlyDeclared } from './routes/route.decorators.js';
/** The caller of a request, scopes inside a handler, and scopes that no route requires. */
export { Caller, callerMay, requireScope } from './caller.js';
export { DeclaredScopes, Scopes } from './routes/scopes.js';
/** For a guard: the request, its route and its caller, and how to reject the request. */
export { CHALLENGE, insufficientScope, setCaller } from './caller.js';
export { ApiException } from './errors/api-exception.js';
export { requestOf, routeOf } from './request.js';
