import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import type { Problem } from '../../../kernel/domain-error.js';
import { ApiException } from '../errors/api-exception.js';
import { pointerTo } from '../errors/error-response.js';
import { shownName } from '../../json/shown-name.js';
import { hasPureRules } from './dto.decorators.js';
import { type Dto, type DtoClass, isDtoClass, shapeOf } from './dto-shape.js';
import type { FieldProblem } from './problems.js';
import { validateBody, type Validated, validateParameters } from './validate-dto.js';

/** The cache of queries: the longest text, and their number. */
const [MAX_LENGTH, MAX_QUERIES] = [128, 256];

/**
 * Validates `@Body()`, `@Query()` and `@Param()` arguments whose type is a class, by class-validator's rules on the class.
 * Other types are left to Nest's own pipes, except that the text of a parameter must have the declared type.
 */
@Injectable()
export class DtoValidationPipe implements PipeTransform {
  /** Valid queries by their text, because class-validator looks its rules up for each object. */
  readonly #queries = new WeakMap<DtoClass, Map<string, Dto>>();

  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if (type === 'custom') return value;
    if (!isDtoClass(metatype)) {
      if (type !== 'body') checkType(value, metatype, type, data);
      return value;
    }
    if (type === 'body') return body(metatype, value, data === undefined ? [] : [data]);
    if (data !== undefined) return value;
    if (!hasPureRules(metatype)) return parameters(metatype, value as object, prefixOf(type));
    return this.#pure(metatype, value as object, prefixOf(type));
  }

  /** Each cursor is another one, and any text is valid: the rest of the query is what is cached. */
  #pure(shape: DtoClass, data: object, prefix: string): Dto {
    const { opaque } = shapeOf(shape);
    const isOpaque = ([name, value]: [string, unknown]) => opaque.has(name) && typeof value === 'string';
    const entries = Object.entries(data);
    const texts = entries.filter(isOpaque);
    if (texts.length === 0) return this.#cached(shape, data, prefix);
    const rest = Object.fromEntries(entries.filter((entry) => !isOpaque(entry)));
    const dto = Object.create(shape.prototype as object) as Dto;
    return Object.assign(dto, this.#cached(shape, rest, prefix), Object.fromEntries(texts));
  }

  #cached(shape: DtoClass, data: object, prefix: string): Dto {
    const text = JSON.stringify(data);
    const queries = this.#queries.get(shape) ?? new Map<string, Dto>();
    const known = queries.get(text);
    if (known) return known;
    const dto = Object.freeze(parameters(shape, data, prefix)) as Dto;
    if (text.length > MAX_LENGTH) return dto;
    if (queries.size >= MAX_QUERIES) queries.clear();
    this.#queries.set(shape, queries.set(text, dto));
    return dto;
  }
}

const parameters = (shape: DtoClass, data: object, prefix: string): Dto | Promise<Dto> =>
  dtoOf(validateParameters(shape, data), (problems) =>
    invalidParameters(detailsOf(problems, (path) => `${prefix}${path.map(shownName).join('.')}`)),
  );

function body(shape: DtoClass, data: unknown, base: readonly string[]): Dto | Promise<Dto> {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    const message = base.length === 0 ? 'The body must be a JSON object' : 'must be a JSON object';
    throw invalidBody([{ field: pointer(base), code: 'invalid_type', message }]);
  }
  return dtoOf(validateBody(shape, data), (problems) =>
    invalidBody(detailsOf(problems, (path) => pointer([...base, ...path]))),
  );
}

const pointer = (path: readonly string[]) => path.map(pointerTo).join('');

/** The instance, without a promise if the validation was synchronous. */
function dtoOf(
  validated: Validated<Dto> | Promise<Validated<Dto>>,
  errorOf: (problems: readonly FieldProblem[]) => ApiException,
): Dto | Promise<Dto> {
  if (validated instanceof Promise) return validated.then((settled) => dtoOf(settled, errorOf));
  if (validated.problems.length > 0) throw errorOf(validated.problems);
  return validated.dto;
}

const detailsOf = (
  problems: readonly FieldProblem[],
  fieldOf: (path: readonly string[]) => string,
): Problem[] => problems.map(({ path, code, message }) => ({ field: fieldOf(path), code, message }));

const prefixOf = (type: ArgumentMetadata['type']) => (type === 'query' ? 'query.' : 'path.');

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** Checks a single parameter: `@Query('page') page: number`. An absent one is left to the following pipes. */
function checkType(value: unknown, declared: unknown, type: ArgumentMetadata['type'], name = ''): void {
  const reject = (message: string) => {
    throw invalidParameters([{ field: `${prefixOf(type)}${name}`, code: 'invalid_type', message }]);
  };
  if (declared === String && Array.isArray(value)) reject('must be given once');
  if (declared === Number && value !== undefined && !(typeof value === 'string' && DECIMAL.test(value)))
    reject('must be a number, given once');
}

const invalidBody = (problems: readonly Problem[]) => ApiException.ofProblems('validation_failed', problems);

export function invalidParameters(problems: readonly Problem[]): ApiException {
  const unknown = problems.some(({ code }) => code === 'unknown_field');
  return ApiException.ofProblems(unknown ? 'unknown_parameter' : 'invalid_parameter', problems);
}
