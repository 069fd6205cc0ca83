import {
  type ArgumentMetadata,
  Injectable,
  StandardSchemaValidationPipe,
  type ValidationError,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import type { Problem } from '../../../kernel/domain-error.js';
import { hasBigInt } from '../../json/parse-json.js';
import { shownName } from '../../json/shown-name.js';
import { ApiException, MAX_DETAILS } from '../errors/api-exception.js';
import { pointerTo } from '../errors/error-response.js';
import { withLargeIntegers } from './large-integers.js';
import { ofNullItems, withoutNullItems } from './null-items.js';
import { booleanOf, TEXTS } from './own-rules.js';
import { type FieldProblem, fieldProblems, type Path, unknownField } from './problems.js';
import { isCachedQueryClass, QueryCache } from './query-cache.js';

const OPTIONS: ValidationPipeOptions = {
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  validationError: { target: true, value: true },
  exceptionFactory: (errors) => new RulesBroken(errors),
};
// What was not sent is not there; to this belongs `useDefineForClassFields: false` in tsconfig.json.
const TRANSFORM = { exposeUnsetFields: false };

/** What class-validator found, on its way out of Nest's pipe. */
class RulesBroken extends Error {
  constructor(readonly errors: readonly ValidationError[]) {
    super();
  }
}

/** Nest's pipe, without two walks over the whole body. */
class RulesPipe extends ValidationPipe {
  /** The parser refuses such names. */
  protected override stripProtoKeys(): void {}

  /** Neither JSON nor a query has any. */
  protected override closeArrayGaps(): void {}
}

/**
 * Two of Nest's `ValidationPipe`, one for bodies and one for parameters, which are texts, and its `StandardSchemaValidationPipe` where a
 * parameter has a schema. What class-validator and class-transformer mean is what happens; added is the form of the problems.
 */
@Injectable()
export class DtoValidationPipe extends ValidationPipe {
  readonly #bodies = new RulesPipe({ ...OPTIONS, transformOptions: TRANSFORM });
  readonly #texts = new RulesPipe({ ...OPTIONS, transformOptions: { ...TRANSFORM, groups: [TEXTS] } });
  readonly #queries = new Map<unknown, QueryCache>();

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype, data, schema } = metadata;
    if (type === 'custom') return value;
    const isWhole = data === undefined && this.toValidate(metadata);
    if (type !== 'body' && !schema && !isWhole) return this.transformPrimitive(value, metadata);
    const judged = async () => {
      const { made, problems } = await this.judge(value, metadata);
      if (problems.length > 0) throw refusal(problems, metadata);
      return schema ? bySchema(value, metadata) : made;
    };
    return type === 'query' && isCachedQueryClass(metatype)
      ? this.#cacheOf(metatype).get(value as object, judged)
      : judged();
  }

  #cacheOf(query: unknown): QueryCache {
    const cache = this.#queries.get(query) ?? new QueryCache();
    this.#queries.set(query, cache);
    return cache;
  }

  /** What is made of `value`, with all its problems, for those who tell of them themselves. */
  async judge(
    value: unknown,
    metadata: ArgumentMetadata,
  ): Promise<{ made?: unknown; problems: FieldProblem[] }> {
    if (metadata.schema) return { made: value, problems: [] };
    const { made, problems } = await this.#judgeByClass(value, metadata);
    return { made, problems: hasBigInt(value) ? withLargeIntegers(problems, value, made) : problems };
  }

  async #judgeByClass(value: unknown, metadata: ArgumentMetadata) {
    if (!this.toValidate(metadata)) return { made: value, problems: [] };
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const message =
        metadata.data === undefined ? 'The body must be a JSON object' : 'must be a JSON object';
      return { made: undefined, problems: [{ path: [], code: 'invalid_type' as const, message }] };
    }
    try {
      const { made, errors } = await this.#validate(value, metadata);
      const lost = metadata.type === 'body' ? [] : lostParameters(value, metadata.metatype!);
      return { made, problems: [...lost, ...fieldProblems(errors)] };
    } catch (error) {
      const ofNulls = error instanceof TypeError ? await this.#nullItems(value, metadata) : [];
      if (ofNulls.length === 0) throw error;
      return { made: undefined, problems: fieldProblems(ofNulls) };
    }
  }

  /** What class-transformer makes of `value`, and what class-validator finds in that. */
  async #validate(value: object, metadata: ArgumentMetadata) {
    const pipe = metadata.type === 'body' ? this.#bodies : this.#texts;
    try {
      return { made: (await pipe.transform(value, metadata)) as unknown, errors: [] };
    } catch (error) {
      if (!(error instanceof RulesBroken)) throw error;
      return { made: error.errors[0]?.target, errors: error.errors };
    }
  }

  /** The errors of nulls in lists of objects, if it is because of them that class-transformer throws, and not the code of the class. */
  async #nullItems(value: object, metadata: ArgumentMetadata): Promise<ValidationError[]> {
    try {
      return ofNullItems((await this.#validate(withoutNullItems(value) as object, metadata)).errors);
    } catch {
      return [];
    }
  }

  /** TypeScript writes these down for types that have no rules. */
  protected override toValidate(metadata: ArgumentMetadata): boolean {
    return super.toValidate(metadata) && ![BigInt, Map, Set].some((type) => type === metadata.metatype);
  }

  /** A parameter that is declared as a text, a number or a boolean is exactly one. */
  protected override transformPrimitive(value: unknown, metadata: ArgumentMetadata): unknown {
    const primitive = PRIMITIVES.get(metadata.metatype);
    if (value === undefined || metadata.data === undefined || !primitive) return value;
    const made = typeof value === 'string' ? primitive.read(value) : undefined;
    if (made !== undefined) return made;
    throw refusal([{ path: [], code: 'invalid_type', message: primitive.message }], metadata);
  }
}

const PRIMITIVES = new Map<unknown, { read: (text: string) => unknown; message: string }>([
  [String, { read: (text) => text, message: 'must be given once' }],
  [Number, { read: numberOf, message: 'must be a number, given once' }],
  [Boolean, { read: booleanOf, message: 'must be true or false, given once' }],
]);

/** A decimal number, unless it is an integer that a number does not hold exactly. */
function numberOf(text: string): number | undefined {
  const number = Number(text);
  const isExact = Number.isSafeInteger(number) || !Number.isInteger(number);
  return /^-?\d+(?:\.\d+)?$/.test(text) && isExact ? number : undefined;
}

/** As the schema of another package (Standard Schema) means it. */
function bySchema(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
  const pipe = new StandardSchemaValidationPipe({
    exceptionFactory: (issues) => {
      const problems = issues.map(({ path = [], message }) => ({
        path: path.map((step) => String(typeof step === 'object' ? step.key : step)),
        code: 'invalid_value' as const,
        message: message.replace(/\.$/, ''),
      }));
      return refusal(problems, metadata);
    },
  });
  return pipe.transform(value, metadata);
}

/** Parameters with names that every object has: class-transformer passes over them, so that class-validator does not see them. */
const lostParameters = (parameters: object, dto: Function): FieldProblem[] =>
  Object.keys(parameters)
    .filter((name) => name in Object.prototype)
    .map((name) => ({ path: [name], ...unknownField(name, dto) }));

function refusal(problems: readonly FieldProblem[], { type, data }: ArgumentMetadata): ApiException {
  const base = data === undefined ? [] : [data];
  const fieldOf = (path: Path) =>
    type === 'body'
      ? [...base, ...path].map(pointerTo).join('')
      : [type === 'query' ? 'query' : 'path', ...[...base, ...path].map(shownName)].join('.');
  const details = problems
    .slice(0, MAX_DETAILS)
    .map(({ path, ...problem }) => ({ field: fieldOf(path), ...problem }));
  return type === 'body'
    ? ApiException.ofProblems('validation_failed', details, problems.length)
    : invalidParameters(details, problems.length);
}

/** `count` is how many problems there are, of which `problems` are the first. */
export function invalidParameters(problems: readonly Problem[], count = problems.length): ApiException {
  const unknown = problems.some(({ code }) => code === 'unknown_field');
  return ApiException.ofProblems(unknown ? 'unknown_parameter' : 'invalid_parameter', problems, count);
}
