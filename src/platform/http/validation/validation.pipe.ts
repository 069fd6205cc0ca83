import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import type { Problem } from '../../../kernel/domain-error.js';
import { ApiException } from '../errors/api-exception.js';
import { describeProblems, pointerTo } from '../errors/error-response.js';
import { shownName } from '../../json/shown-name.js';
import { hasPureRules } from './dto.decorators.js';
import { type Dto, type DtoClass, isDtoClass, shapeOf } from './dto-shape.js';
import type { FieldProblem } from './problems.js';
import { validateBody, type Validated, validateParameters } from './validate-dto.js';

/**
 * Validates `@Body()`, `@Query()` and `@Param()` arguments whose type is a class, by class-validator's rules on the class.
 * Other types are left to Nest's own pipes, except that the text of a parameter must have the declared type.
 */
@Injectable()
export class DtoValidationPipe implements PipeTransform {
  readonly #queries = new QueryCache();

  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if (metatype === undefined || type === 'custom') return value;
    if (!isDtoClass(metatype)) {
      if (type !== 'body') checkType(value, metatype, type, data);
      return value;
    }
    if (type === 'body') return body(metatype, value, data === undefined ? [] : [data]);
    return data === undefined ? this.#parameters(metatype, value as object, prefixOf(type)) : value;
  }

  #parameters(shape: DtoClass, data: object, prefix: string): Dto | Promise<Dto> {
    const key = this.#queries.keyOf(shape, data);
    const cached = key && this.#queries.find(shape, key);
    if (cached) return cached;
    return whenValidated(validateParameters(shape, data), ({ dto, problems }) => {
      if (problems.length > 0)
        throw invalidParameters(detailsOf(problems, (path) => `${prefix}${path.map(shownName).join('.')}`));
      if (key) this.#queries.add(shape, key, dto);
      return dto;
    });
  }
}

function body(shape: DtoClass, data: unknown, base: readonly string[]): Dto | Promise<Dto> {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    const message = base.length === 0 ? 'The body must be a JSON object' : 'must be a JSON object';
    throw invalidBody([{ field: pointer(base), code: 'invalid_type', message }]);
  }
  return whenValidated(validateBody(shape, data), ({ dto, problems }) => {
    if (problems.length > 0) throw invalidBody(detailsOf(problems, (path) => pointer([...base, ...path])));
    return dto;
  });
}

const pointer = (path: readonly string[]) => path.map(pointerTo).join('');

/** Avoids a promise if the validation was synchronous. */
const whenValidated = (
  validated: Validated<Dto> | Promise<Validated<Dto>>,
  then: (validated: Validated<Dto>) => Dto,
): Dto | Promise<Dto> => (validated instanceof Promise ? validated.then(then) : then(validated));

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

function invalidBody(problems: readonly Problem[]): ApiException {
  const { message, details } = describeProblems(problems);
  return new ApiException('validation_failed', message, { details });
}

export function invalidParameters(problems: readonly Problem[]): ApiException {
  const unknown = problems.some(({ code }) => code === 'unknown_field');
  const { message, details } = describeProblems(problems);
  return new ApiException(unknown ? 'unknown_parameter' : 'invalid_parameter', message, { details });
}

const MAX_LENGTH = 64;
const MAX_QUERIES = 256;

/** The key of a cached query, and its opaque texts, which are not part of the key because any text is valid. */
interface CacheKey {
  readonly name: string;
  readonly opaque: Readonly<Record<string, string>> | undefined;
}

/** Caches short queries that were valid by pure rules, because class-validator looks its rules up for each object. */
export class QueryCache {
  readonly #queries = new WeakMap<DtoClass, Map<string, Dto>>();

  /** @returns undefined for a query that is not cached */
  keyOf(shape: DtoClass, query: object): CacheKey | undefined {
    if (!hasPureRules(shape)) return undefined;
    const opaqueFields = shapeOf(shape).opaque;
    let name = '';
    let opaque: Record<string, string> | undefined;
    for (const [field, value] of Object.entries(query)) {
      if (typeof value !== 'string') return undefined;
      if (opaqueFields.has(field)) (opaque ??= {})[field] = value;
      // With the lengths included, different texts always have different keys.
      else if (field.length + value.length <= MAX_LENGTH)
        name += `${field.length} ${value.length} ${field}${value}`;
      else return undefined;
    }
    return name.length > 2 * MAX_LENGTH ? undefined : { name, opaque };
  }

  find(shape: DtoClass, { name, opaque }: CacheKey): Dto | undefined {
    const dto = this.#queries.get(shape)?.get(name);
    return dto && opaque ? Object.assign(Object.create(shape.prototype as object) as Dto, dto, opaque) : dto;
  }

  add(shape: DtoClass, { name, opaque }: CacheKey, dto: Dto): void {
    const cached: Dto = Object.assign(Object.create(shape.prototype as object) as Dto, dto);
    for (const field of Object.keys(opaque ?? {})) delete (cached as Record<string, unknown>)[field];
    let queries = this.#queries.get(shape);
    if (!queries) this.#queries.set(shape, (queries = new Map()));
    if (queries.size >= MAX_QUERIES) queries.clear();
    queries.set(name, Object.freeze(cached));
  }
}
