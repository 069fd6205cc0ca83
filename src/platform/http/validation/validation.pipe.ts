import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import type { Problem } from '../../../kernel/domain-error.js';
import { summaryOf } from '../errors/error-response.js';
import { ApiException } from '../errors/api-exception.js';
import { pointerTo } from '../errors/json-pointer.js';
import { AcceptedQueries } from './accepted-queries.js';
import type { DtoClass, FieldProblem } from './field-problems.js';
import { isDtoClass, validateBody, validateParameters } from './validate-dto.js';

/**
 * Judges what a handler takes by `@Body()`, `@Query()` and `@Param()` where its type is a class, by class-validator's rules
 * on the class. Other types are left to Nest's own pipes, but for what a client sent in another form than is declared.
 */
@Injectable()
export class DtoValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if (metatype === undefined || type === 'custom') return value;
    if (!isDtoClass(metatype)) {
      if (type !== 'body') checkForm(value, metatype, type, data);
      return value;
    }
    if (type === 'body') return body(metatype, value, data === undefined ? [] : [data]);
    return data === undefined ? parameters(metatype, value as object, prefixOf(type)) : value;
  }
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

const prefixOf = (type: ArgumentMetadata['type']) => (type === 'query' ? 'query.' : 'path.');

/** A single parameter: `@Query('page') page: number`. What is absent is for the pipes that follow. */
function checkForm(value: unknown, declared: unknown, type: ArgumentMetadata['type'], name = ''): void {
  const refuse = (message: string) => {
    throw malformed([{ field: `${prefixOf(type)}${name}`, code: 'invalid_type', message }]);
  };
  if (declared === String && Array.isArray(value)) refuse('must be given once');
  if (declared === Number && value !== undefined && !(typeof value === 'string' && DECIMAL.test(value)))
    refuse('must be a number, given once');
}

function body(shape: DtoClass, data: unknown, path: readonly string[]): object {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    const field = path.map(pointerTo).join('');
    const message = path.length === 0 ? 'The body must be a JSON object' : 'must be a JSON object';
    throw invalid([{ field, code: 'invalid_type', message }]);
  }
  return afterwards(validateBody(shape, data), ({ dto, problems }) => {
    if (problems.length > 0) throw invalid(problems.map(inBody(path)));
    return dto;
  });
}

/** Without a promise where there is none. */
const afterwards = <Value extends object, Result extends object>(
  value: Value | Promise<Value>,
  then: (value: Value) => Result,
): Result | Promise<Result> => (value instanceof Promise ? value.then(then) : then(value));

const inBody =
  (before: readonly string[]) =>
  ({ path, code, message }: FieldProblem): Problem => ({
    field: [...before, ...path].map(pointerTo).join(''),
    code,
    message,
  });

function parameters(shape: DtoClass, data: object, prefix: string): object {
  const query = accepted.nameOf(shape, data);
  const known = query && accepted.find(shape, query);
  if (known) return known;
  return afterwards(validateParameters(shape, data), ({ dto, problems }) => {
    if (problems.length > 0) throw malformed(problems.map(inParameters(prefix)));
    if (query) accepted.keep(shape, query, dto);
    return dto;
  });
}

const accepted = new AcceptedQueries();

const inParameters =
  (prefix: string) =>
  ({ path, code, message }: FieldProblem): Problem => ({
    field: `${prefix}${path.join('.')}`,
    code,
    message,
  });

const invalid = (details: Problem[]) =>
  new ApiException('validation_failed', summaryOf(details), { details });

function malformed(details: Problem[]): ApiException {
  const unknown = details.some(({ code }) => code === 'unknown_field');
  return new ApiException(unknown ? 'unknown_parameter' : 'invalid_parameter', summaryOf(details), {
    details,
  });
}
