import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { getSchemaPath } from '@nestjs/swagger';
import type { Problem } from '../../src/kernel/domain-error.js';
import type { ErrorCatalogue } from '../../src/platform/http/errors/error-catalogue.js';
import { MULTIPART } from '../../src/platform/http/body/arriving.js';
import type { PlatformCode } from '../../src/platform/http/errors/error-codes.js';
import type { Route } from '../../src/platform/http/routes/routes.js';
import { ErrorBody, ProblemBody } from './error-body.dto.js';
import { declaredParametersOf, handlerOf } from './handlers.js';
import type { Response } from './openapi-types.js';

const OF_KEY: PlatformCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'rate_limited',
  'too_many_requests',
];
/** Errors that any operation may return. */
const ALWAYS: PlatformCode[] = [
  'unknown_parameter',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'shutting_down',
  'database_unavailable',
];
const OF_BODY: PlatformCode[] = [
  'invalid_json',
  'validation_failed',
  'payload_too_large',
  'unsupported_media_type',
];
const OF_UPLOAD: PlatformCode[] = [
  'bad_request',
  'length_required',
  'payload_too_large',
  'unsupported_media_type',
];
const OF_QUERY: PlatformCode[] = ['invalid_parameter'];

/** The errors that an operation may return, by status. */
export function errorResponses(route: Route, catalogue: ErrorCatalogue): Record<string, Response> {
  const responses: Record<string, { description: string; examples: Record<string, { value: object }> }> = {};
  const declared = route.errors.map((error) => (typeof error === 'string' ? error : error.code));
  for (const code of new Set([...impliedErrors(route), ...declared])) {
    const { status, meaning, remedy } = catalogue.all().get(code)!;
    const { description = '', examples = {} } = responses[status] ?? {};
    responses[status] = {
      description: `${description && `${description}\n\n`}\`${code}\`: ${meaning}`,
      examples: {
        ...examples,
        [code]: { value: exampleOf(code, { message: `${meaning} ${remedy}`, status }) },
      },
    };
  }
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, examples }]) => [
      status,
      { description, content: { 'application/json': { schema: ERROR, examples }, ...PROBLEM } },
    ]),
  );
}

/** An example of `details` for each error that has them. */
const PROBLEMS: Readonly<Record<string, Problem>> = {
  validation_failed: { field: '/name', code: 'blank', message: 'must have at least one visible character' },
  invalid_parameter: { field: 'query.limit', code: 'out_of_range', message: 'must be from 1 to 100' },
  unknown_parameter: {
    field: 'query.stauts',
    code: 'unknown_field',
    message: 'is not known; did you mean status',
  },
  invalid_cursor: {
    field: 'query.cursor',
    code: 'invalid_value',
    message: 'does not belong to this list and filter; take it unchanged from a Link header of the same list',
  },
};

function exampleOf(code: string, general: { readonly message: string; readonly status: number }): object {
  const problem = PROBLEMS[code];
  if (!problem) return { code, ...general };
  return { code, ...general, message: `${problem.field} ${problem.message}.`, details: [problem] };
}

const ERROR = { $ref: getSchemaPath(ErrorBody) };
const PROBLEM = { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemBody) } } };

function impliedErrors(route: Route): PlatformCode[] {
  const { isPublic, takesBody, mayReadAll, consumes } = route;
  const hasQuery = declaredParametersOf(route).some(({ kind }) => kind === RouteParamtypes.QUERY);
  const isGet = Reflect.getMetadata(METHOD_METADATA, handlerOf(route)) === RequestMethod.GET;
  return [
    ...(takesBody || (mayReadAll && !isGet) ? OF_BODY : []),
    ...(consumes.includes(MULTIPART) ? OF_UPLOAD : []),
    ...(hasQuery || mayReadAll ? OF_QUERY : []),
    ...(isPublic ? [] : OF_KEY),
    ...ALWAYS,
    ...(isGet ? [] : ['database_read_only' as const]),
  ];
}
