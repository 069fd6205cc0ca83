import { RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiResponse, DECORATORS } from '@nestjs/swagger';
import { wantsBody } from '../body/body.guard.js';
import { errorCatalogue } from '../errors/error-catalogue.js';
import { API_ERRORS, apiErrorsOf } from '../errors/possible-errors.js';
import type { Handler } from '../handlers.js';
import { IS_PUBLIC } from '../public.decorator.js';
import { isDtoClass } from '../validation/validate-dto.js';
import { ErrorBody } from './error-body.dto.js';
import { described, EVERYWHERE, ON_ERROR } from './headers.js';

/** What every operation may answer with, whatever it does; the first, if it asks for a key. */
const WITH_KEY = ['missing_api_key', 'invalid_api_key', 'rate_limited'];
const ALWAYS = [
  'missing_api_key',
  'invalid_api_key',
  'request_timeout',
  'uri_too_long',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'timeout',
  'database_unavailable',
];
const OF_BODY = ['invalid_json', 'validation_failed', 'payload_too_large', 'unsupported_media_type'];
const OF_QUERY = ['invalid_parameter', 'unknown_parameter'];

/**
 * Names the error codes that an operation may answer with, besides those that follow from what it takes; several of these
 * add up. A module adds its own to the catalogue with `describeErrors`.
 */
export function ApiErrors(...codes: string[]): MethodDecorator {
  return (_, __, { value }: PropertyDescriptor) =>
    Reflect.defineMetadata(API_ERRORS, [...apiErrorsOf(value as object), ...codes], value as object);
}

const DESCRIBED = Symbol('described');

/** Gives the document of every operation the errors that it may answer with. A code that nobody explained stops the start. */
export function describeApiErrors(handlers: readonly Handler[]): void {
  for (const handler of handlers) {
    const { controller, name, method } = handler;
    if (!Reflect.hasMetadata(METHOD_METADATA, method) || Reflect.hasMetadata(DESCRIBED, method)) continue;
    Reflect.defineMetadata(DESCRIBED, true, method);
    const add = (decorate: MethodDecorator) =>
      decorate(controller.prototype as object, name, { value: method });
    if (!succeeds(method)) add(ApiResponse({ status: statusOf(method), description: 'It is done.' }));
    for (const code of new Set([...implied(handler), ...apiErrorsOf(method)])) add(refusal(code));
  }
}

function implied({ controller, name, method }: Handler): string[] {
  const isPublic = Reflect.hasMetadata(IS_PUBLIC, method) || Reflect.hasMetadata(IS_PUBLIC, controller);
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) ??
    []) as unknown[];
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as object;
  const hasQuery = Object.keys(parameters).some((key) => {
    const [type, index] = key.split(':').map(Number);
    return type === RouteParamtypes.QUERY && isDtoClass(types[index!]);
  });
  return [
    ...(wantsBody(controller, name) ? OF_BODY : []),
    ...(hasQuery ? OF_QUERY : []),
    ...ALWAYS.filter((code) => !isPublic || !WITH_KEY.includes(code)),
  ];
}

function succeeds(method: Handler['method']): boolean {
  const responses = (Reflect.getMetadata(DECORATORS.API_RESPONSE, method) ?? {}) as object;
  return Object.keys(responses).some((status) => Number(status) < 400);
}

function statusOf(method: Handler['method']): number {
  const usual = Reflect.getMetadata(METHOD_METADATA, method) === RequestMethod.POST ? 201 : 200;
  return (Reflect.getMetadata(HTTP_CODE_METADATA, method) as number | undefined) ?? usual;
}

function refusal(code: string): MethodDecorator {
  const entry = errorCatalogue.get(code);
  if (!entry) throw new Error(`The error code ${code} is not in the catalogue: add it with describeErrors.`);
  const { status, meaning, remedy } = entry;
  return ApiResponse({
    status,
    description: `\`${code}\`: ${meaning}`,
    type: ErrorBody,
    headers: described({ ...EVERYWHERE, ...ON_ERROR[status] }),
    examples: { [code]: { summary: meaning, value: { code, message: `${meaning} ${remedy}`, status } } },
  });
}
