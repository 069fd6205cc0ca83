import {
  type ArgumentMetadata,
  Injectable,
  StandardSchemaValidationPipe,
  type ValidationError,
  ValidationPipe,
} from '@nestjs/common';
import type { ValidatorOptions } from 'class-validator';
import type { Problem } from '../../../kernel/domain-error.js';
import { shownName } from '../../json/shown-name.js';
import { ApiException } from '../errors/api-exception.js';
import { pointerTo } from '../errors/error-response.js';
import { booleanOf, ParameterTexts } from './own-rules.js';
import type { FieldProblem, Path } from './problems.js';
import { isKept, QueryCache } from './query-cache.js';
import { nullItems, problemsOf, reservedMembers } from './strays.js';

/**
 * Nest's `ValidationPipe`, and its `StandardSchemaValidationPipe` where a parameter has a schema. What class-validator and
 * class-transformer mean is what happens; added are the form of the problems and those that Nest passes over.
 */
@Injectable()
export class DtoValidationPipe extends ValidationPipe {
  readonly #queries = new Map<unknown, QueryCache>();
  readonly #errors = new WeakMap<object, ValidationError[]>();

  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      // What was not sent is not there; to this belongs `useDefineForClassFields: false` in tsconfig.json.
      transformOptions: { exposeUnsetFields: false },
      validationError: { target: true, value: true },
    });
  }

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
    return type === 'query' && isKept(metatype)
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
    const { type, data, schema } = metadata;
    const reserved = reservedMembers(value);
    if (schema || reserved.length > 0) return { problems: reserved };
    if (!this.toValidate(metadata)) return { made: value, problems: problemsOf(value, value) };
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const message = data === undefined ? 'The body must be a JSON object' : 'must be a JSON object';
      return { problems: [{ path: [], code: 'invalid_type', message }] };
    }
    const given = type === 'body' ? value : new ParameterTexts(value);
    let made: object;
    try {
      made = (await super.transform(given, metadata)) as object;
    } catch (error) {
      // class-transformer looks for the discriminator of null, too.
      const problems = error instanceof TypeError ? nullItems(given) : [];
      if (problems.length === 0) throw error;
      return { problems };
    }
    return { made, problems: problemsOf(given, made, this.#errors.get(made)) };
  }

  /** Nest is told of no errors, so that it hands out what was made, to be judged as a whole. */
  protected override async validate(made: object, options?: ValidatorOptions): Promise<ValidationError[]> {
    const errors = await super.validate(made, options);
    // Of what is right nothing is kept: a table that changes with each request keeps it alive (docs/decisions/0052-shared-work.md).
    if (errors.length > 0) this.#errors.set(made, errors);
    return [];
  }

  /** Names like `__proto__` are refused before. */
  protected override stripProtoKeys(): void {}

  /** Neither JSON nor a query has any. */
  protected override closeArrayGaps(): void {}

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

function refusal(problems: readonly FieldProblem[], { type, data }: ArgumentMetadata): ApiException {
  const base = data === undefined ? [] : [data];
  const fieldOf = (path: Path) =>
    type === 'body'
      ? [...base, ...path].map(pointerTo).join('')
      : [type === 'query' ? 'query' : 'path', ...[...base, ...path].map(shownName)].join('.');
  const details = problems.map(({ path, ...problem }) => ({ field: fieldOf(path), ...problem }));
  return type === 'body' ? ApiException.ofProblems('validation_failed', details) : invalidParameters(details);
}

export function invalidParameters(problems: readonly Problem[]): ApiException {
  const unknown = problems.some(({ code }) => code === 'unknown_field');
  return ApiException.ofProblems(unknown ? 'unknown_parameter' : 'invalid_parameter', problems);
}
