import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { getSchemaPath } from '@nestjs/swagger';
import { wantsBody } from '../../src/platform/http/route-facts.js';
import type { ErrorCatalogue } from '../../src/platform/http/errors/error-catalogue.js';
import type { PlatformCode } from '../../src/platform/http/errors/error-codes.js';
import type { Handler } from '../../src/platform/http/handlers.js';
import { apiErrorsOf, IS_PUBLIC } from '../../src/platform/http/route.decorators.js';
import { isDtoClass } from './dto-metadata.js';
import { ErrorBody, ProblemBody } from './error-body.dto.js';
import type { Response } from './openapi-types.js';

const OF_KEY: PlatformCode[] = ['missing_api_key', 'invalid_api_key', 'rate_limited', 'too_many_requests'];
/** Errors that any operation may answer with. */
const ALWAYS: PlatformCode[] = [
  'unknown_parameter',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'timeout',
  'database_unavailable',
];
const OF_BODY: PlatformCode[] = [
  'invalid_json',
  'validation_failed',
  'payload_too_large',
  'unsupported_media_type',
];
const OF_QUERY: PlatformCode[] = ['invalid_parameter'];

/** The errors that an operation may answer with, by status. */
export function errorResponses(handler: Handler, catalogue: ErrorCatalogue): Record<string, Response> {
  const responses: Record<string, { description: string; examples: Record<string, { value: object }> }> = {};
  const declared = apiErrorsOf(handler.method).map((error) =>
    typeof error === 'string' ? error : error.code,
  );
  for (const code of new Set([...impliedErrors(handler), ...declared])) {
    const { status, meaning, remedy } = catalogue.all().get(code)!;
    const { description = '', examples = {} } = responses[status] ?? {};
    responses[status] = {
      description: `${description && `${description}\n\n`}\`${code}\`: ${meaning}`,
      examples: { ...examples, [code]: { value: { code, message: `${meaning} ${remedy}`, status } } },
    };
  }
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, examples }]) => [
      status,
      { description, content: { 'application/json': { schema: ERROR, examples }, ...PROBLEM } },
    ]),
  );
}

const ERROR = { $ref: getSchemaPath(ErrorBody) };
const PROBLEM = { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemBody) } } };

function impliedErrors({ controller, method, parameters }: Handler): PlatformCode[] {
  const isPublic = Reflect.hasMetadata(IS_PUBLIC, method) || Reflect.hasMetadata(IS_PUBLIC, controller);
  const hasQuery = parameters.some(
    ({ kind, declaredType }) => kind === RouteParamtypes.QUERY && isDtoClass(declaredType),
  );
  return [
    ...(wantsBody(parameters) ? OF_BODY : []),
    ...(hasQuery ? OF_QUERY : []),
    ...(isPublic ? [] : OF_KEY),
    ...ALWAYS,
    ...(Reflect.getMetadata(METHOD_METADATA, method) === RequestMethod.GET
      ? []
      : ['database_read_only' as const]),
  ];
}
