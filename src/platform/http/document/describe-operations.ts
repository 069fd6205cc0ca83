import { RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiProperty, type ApiPropertyOptions, ApiResponse, DECORATORS } from '@nestjs/swagger';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import { wantsBody } from '../body.guard.js';
import { errorCatalogue } from '../errors/error-codes.js';
import type { Handler } from '../handlers.js';
import { apiErrorsOf, IS_PUBLIC } from '../route.decorators.js';
import { isDtoClass } from '../validation/validate-dto.js';
import { ErrorBody } from './error-body.dto.js';
import { EVERYWHERE, ON_ERROR, toHeaderObjects } from './headers.js';
import { isReadOnly } from '../validation/dto.decorators.js';
import type { DtoClass } from '../validation/problems.js';

const OF_KEY = ['missing_api_key', 'invalid_api_key', 'rate_limited', 'too_many_requests'];
/** What any operation may answer with. */
const ALWAYS = [
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'timeout',
  'database_unavailable',
];
const OF_BODY = ['invalid_json', 'validation_failed', 'payload_too_large', 'unsupported_media_type'];
const OF_QUERY = ['invalid_parameter', 'unknown_parameter'];

const DESCRIBED = Symbol('described');

/** Gives the document of every operation the errors that it may answer with. A code that nobody explained stops the start. */
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

function impliedErrors({ controller, name, method }: Handler): string[] {
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
    headers: toHeaderObjects({ ...EVERYWHERE, ...ON_ERROR[status] }),
    examples: { [code]: { summary: meaning, value: { code, message: `${meaning} ${remedy}`, status } } },
  });
}

type Documented = Readonly<Record<string, unknown>>;

/** The rules that class-validator-jsonschema does not know. */
const additionalConverters = {
  isInt64: { type: 'integer' as const, format: 'int64' },
  isInstant: { type: 'string' as const, format: 'date-time' },
  // No control character, in the words of any dialect of regular expressions.
  isText: { type: 'string' as const, pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*$` },
};

/** What a rule says of a field whose `@ApiProperty` gives its type. */
const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'];

/**
 * Has the document say of each field what class-validator's rules ask for, where `@ApiProperty` does not say it: bounds, and all
 * of a field that has none.
 */
export function describeFields(handlers: readonly Handler[]): void {
  const described = new Set<DtoClass>();
  for (const { controller, name } of handlers) {
    const parameters = Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) as
      unknown[] | undefined;
    for (const declared of parameters ?? []) if (isDtoClass(declared)) describe(declared, described);
  }
}

function describe(dto: DtoClass, described: Set<DtoClass>): void {
  if (described.has(dto)) return;
  described.add(dto);
  const prototype = dto.prototype as object;
  const { properties = {}, required = [] } = targetConstructorToSchema(dto, { additionalConverters });
  for (const [field, rules] of Object.entries(properties)) {
    if (isReadOnly(prototype, field)) continue;
    const documented = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype, field) as
      Documented | undefined;
    for (const type of [documented?.['type']].flat()) if (isDtoClass(type)) describe(type, described);
    const more = documented
      ? Object.fromEntries(Object.entries(rules).filter(([name]) => BOUNDS.includes(name)))
      : { ...rules, required: required.includes(field) };
    if (!JSON.stringify(more).includes('$ref'))
      ApiProperty({ ...more, ...documented } as ApiPropertyOptions)(prototype, field);
  }
}
