import { RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiResponse, DECORATORS } from '@nestjs/swagger';
import { wantsBody } from '../../src/platform/http/body.guard.js';
import { errorCatalogue } from '../../src/platform/http/errors/error-codes.js';
import type { Handler } from '../../src/platform/http/handlers.js';
import { apiErrorsOf, IS_PUBLIC } from '../../src/platform/http/route.decorators.js';
import { isDtoClass } from '../../src/platform/http/validation/dto-fields.js';
import { ErrorBody } from './error-body.dto.js';

const OF_KEY = ['missing_api_key', 'invalid_api_key', 'rate_limited', 'too_many_requests'];
/** Errors that any operation may answer with. */
const ALWAYS = [
  'unknown_parameter',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'timeout',
  'database_unavailable',
];
const OF_BODY = ['invalid_json', 'validation_failed', 'payload_too_large', 'unsupported_media_type'];
const OF_QUERY = ['invalid_parameter'];

const DESCRIBED = Symbol('described');

/** Adds to the document the errors that each operation may answer with. @throws Error for a code without a description */
export function describeOperationErrors(handlers: readonly Handler[]): void {
  for (const handler of handlers) {
    const { controller, name, method } = handler;
    if (!Reflect.hasMetadata(METHOD_METADATA, method) || Reflect.hasMetadata(DESCRIBED, method)) continue;
    Reflect.defineMetadata(DESCRIBED, true, method);
    const add = (decorate: MethodDecorator) =>
      decorate(controller.prototype as object, name, { value: method });
    if (!hasSuccess(method)) add(ApiResponse({ status: statusOf(method), description: 'It is done.' }));
    for (const code of new Set([...impliedErrors(handler), ...apiErrorsOf(method)])) add(errorOf(code));
  }
}

function impliedErrors({ controller, method, parameters }: Handler): string[] {
  const isPublic = Reflect.hasMetadata(IS_PUBLIC, method) || Reflect.hasMetadata(IS_PUBLIC, controller);
  const hasQuery = parameters.some(
    ({ kind, declaredType }) => kind === RouteParamtypes.QUERY && isDtoClass(declaredType),
  );
  return [
    ...(wantsBody(parameters) ? OF_BODY : []),
    ...(hasQuery ? OF_QUERY : []),
    ...(isPublic ? [] : OF_KEY),
    ...ALWAYS,
    ...(Reflect.getMetadata(METHOD_METADATA, method) === RequestMethod.GET ? [] : ['database_read_only']),
  ];
}

function hasSuccess(method: Handler['method']): boolean {
  const responses = (Reflect.getMetadata(DECORATORS.API_RESPONSE, method) ?? {}) as object;
  return Object.keys(responses).some((status) => Number(status) < 400);
}

function statusOf(method: Handler['method']): number {
  const standard = Reflect.getMetadata(METHOD_METADATA, method) === RequestMethod.POST ? 201 : 200;
  return (Reflect.getMetadata(HTTP_CODE_METADATA, method) as number | undefined) ?? standard;
}

function errorOf(code: string): MethodDecorator {
  const entry = errorCatalogue.get(code);
  if (!entry) throw new Error(`The error code ${code} is not in the catalogue: add it with describeErrors.`);
  const { status, meaning, remedy } = entry;
  return ApiResponse({
    status,
    description: `\`${code}\`: ${meaning}`,
    type: ErrorBody,
    examples: { [code]: { summary: meaning, value: { code, message: `${meaning} ${remedy}`, status } } },
  });
}
