import {
  type ArgumentMetadata,
  Injectable,
  StandardSchemaValidationPipe,
  type ValidationError,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import type { Problem } from '../../../kernel/domain-error.js';
import { shownName } from '../../json/shown-name.js';
import { ApiException, MAX_DETAILS } from '../errors/api-exception.js';
import { pointerTo } from '../errors/error-response.js';
import { ofNullItems, withoutNullItems } from './null-items.js';
import { booleanOf, TEXTS } from './own-rules.js';
import { type FieldProblem, fieldProblems, type Path, unknownField } from './problems.js';
import { isCachedQueryClass, QueryCache } from './query-cache.js';
import { withUntakenIntegers } from './untaken-integers.js';

const OPTIONS: ValidationPipeOptions = {
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  validationError: { target: true, value: true },
  exceptionFactory: (errors) => new RulesBroken(errors),
};
// A field that was not sent is absent. This needs `useDefineForClassFields: false` in tsconfig.json.
const TRANSFORM = { exposeUnsetFields: false };

/** Carries the errors of class-validator out of Nest's pipe. */
class RulesBroken extends Error {
  constructor(readonly errors: readonly ValidationError[]) {
    super();
  }
}

/** Carries the problems that a Standard Schema found out of Nest's pipe. */
class SchemaBroken extends Error {
  constructor(readonly problems: FieldProblem[]) {
    super();
  }
}

/** Nest's pipe, except that it does not walk over the whole body twice before class-transformer does. */
class RulesPipe extends ValidationPipe {
  /** The parser rejects a body with such names. */
  protected override stripProtoKeys(): void {}

  /** Neither JSON nor a query has arrays with gaps. */
  protected override closeArrayGaps(): void {}
}

/** What was made of the value of a parameter, and what is wrong with the value. */
interface Judgement {
  readonly made: unknown;
  readonly problems: FieldProblem[];
}

/**
 * Two of Nest's `ValidationPipe`: one for bodies, and one for parameters of a query or a path, which are texts. Parameters with a
 * schema have Nest's `StandardSchemaValidationPipe`. class-validator, class-transformer and the schemas decide what is valid. This
 * pipe reports their problems in the form of the contract, and rejects integers that would be rounded.
 */
@Injectable()
export class DtoValidationPipe extends ValidationPipe {
  readonly #bodies = new RulesPipe({ ...OPTIONS, transformOptions: TRANSFORM });
  readonly #texts = new RulesPipe({ ...OPTIONS, transformOptions: { ...TRANSFORM, groups: [TEXTS] } });
  readonly #schemas = new StandardSchemaValidationPipe({
    exceptionFactory: (issues) =>
      new SchemaBroken(
        issues.map(({ path = [], message }) => ({
          path: path.map((step) => String(typeof step === 'object' ? step.key : step)),
          code: 'invalid_value',
          message: message.replace(/\.$/, ''),
        })),
      ),
  });
  readonly #queries = new Map<unknown, QueryCache>();

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype, data, schema } = metadata;
    if (type === 'custom') return value;
    const isWhole = data === undefined && this.toValidate(metadata);
    if (type !== 'body' && !schema && !isWhole) return this.transformPrimitive(value, metadata);
    return type === 'query' && isCachedQueryClass(metatype)
      ? this.#cacheOf(metatype).get(value as object, () => this.#make(value, metadata))
      : this.#make(value, metadata);
  }

  async #make(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { made, problems } = await this.judge(value, metadata);
    if (problems.length > 0) throw rejection(problems, metadata);
    return made;
  }

  #cacheOf(query: unknown): QueryCache {
    const cache = this.#queries.get(query) ?? new QueryCache();
    this.#queries.set(query, cache);
    return cache;
  }

  /** Makes the value of a parameter, and finds all problems with it. For callers that report the problems in their own way. */
  async judge(value: unknown, metadata: ArgumentMetadata): Promise<Judgement> {
    const { made, problems } = await (metadata.schema
      ? this.#judgeBySchema(value, metadata)
      : this.#judgeByClass(value, metadata));
    // Parameters of a query or a path are texts.
    return {
      made,
      problems: metadata.type === 'body' ? withUntakenIntegers(problems, value, made) : problems,
    };
  }

  /** Lets the schema of another package (Standard Schema) make the value. Its problems have the messages of the schema. */
  async #judgeBySchema(value: unknown, metadata: ArgumentMetadata): Promise<Judgement> {
    try {
      return { made: (await this.#schemas.transform(value, metadata)) as unknown, problems: [] };
    } catch (error) {
      if (!(error instanceof SchemaBroken)) throw error;
      return { made: undefined, problems: error.problems };
    }
  }

  async #judgeByClass(value: unknown, metadata: ArgumentMetadata): Promise<Judgement> {
    if (!this.toValidate(metadata)) return { made: value, problems: [] };
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const message =
        metadata.data === undefined ? 'The body must be a JSON object' : 'must be a JSON object';
      return { made: undefined, problems: [{ path: [], code: 'invalid_type', message }] };
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

  /** Returns what class-transformer makes of `value`, and the errors that class-validator finds in it. */
  async #validate(value: object, metadata: ArgumentMetadata) {
    const pipe = metadata.type === 'body' ? this.#bodies : this.#texts;
    try {
      return { made: (await pipe.transform(value, metadata)) as unknown, errors: [] };
    } catch (error) {
      if (!(error instanceof RulesBroken)) throw error;
      return { made: error.errors[0]?.target, errors: error.errors };
    }
  }

  /** Returns the errors of nulls in lists of objects. There are none if the code of the class made class-transformer throw. */
  async #nullItems(value: object, metadata: ArgumentMetadata): Promise<ValidationError[]> {
    try {
      return ofNullItems((await this.#validate(withoutNullItems(value) as object, metadata)).errors);
    } catch {
      return [];
    }
  }

  /** TypeScript records these classes for types that have no rules. */
  protected override toValidate(metadata: ArgumentMetadata): boolean {
    return super.toValidate(metadata) && ![BigInt, Map, Set].some((type) => type === metadata.metatype);
  }

  /** A parameter that is declared as a text, a number or a boolean must be given once. */
  protected override transformPrimitive(value: unknown, metadata: ArgumentMetadata): unknown {
    const primitive = PRIMITIVES.get(metadata.metatype);
    if (value === undefined || metadata.data === undefined || !primitive) return value;
    const made = typeof value === 'string' ? primitive.read(value) : undefined;
    if (made !== undefined) return made;
    throw rejection([{ path: [], code: 'invalid_type', message: primitive.message }], metadata);
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

/** Parameters with names that every object has. class-transformer leaves them out, so class-validator does not see them. */
const lostParameters = (parameters: object, dto: Function): FieldProblem[] =>
  Object.keys(parameters)
    .filter((name) => name in Object.prototype)
    .map((name) => ({ path: [name], ...unknownField(name, dto) }));

function rejection(problems: readonly FieldProblem[], { type, data }: ArgumentMetadata): ApiException {
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

/** The error for parameters of a query or a path. `count` is the number of all problems, and `problems` are the first of them. */
export function invalidParameters(problems: readonly Problem[], count = problems.length): ApiException {
  const unknown = problems.some(({ code }) => code === 'unknown_field');
  return ApiException.ofProblems(unknown ? 'unknown_parameter' : 'invalid_parameter', problems, count);
}
