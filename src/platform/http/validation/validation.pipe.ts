import {
  type ArgumentMetadata,
  Injectable,
  type OnModuleInit,
  StandardSchemaValidationPipe,
  type StandardSchemaValidationPipeOptions,
  ValidationPipe,
} from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Problem } from '../../../kernel/domain-error.js';
import { shownName } from '../../json/shown-name.js';
import { ApiException } from '../errors/api-exception.js';
import { pointerTo } from '../errors/error-response.js';
import { type Route, Routes } from '../routes.js';
import { booleanOf, ParameterTexts } from './own-rules.js';
import { type FieldProblem, fieldProblems, type Path } from './problems.js';
import { QueryCache } from './query-cache.js';
import { reservedMembers, reservedProblem, straysOf } from './strays.js';

/** What was made of plain data, with all its problems. */
interface Judged {
  readonly made?: unknown;
  readonly problems: readonly FieldProblem[];
}

/** What Nest's pipes throw here. */
class Refused extends Error {
  constructor(readonly judged: Judged) {
    super('It breaks rules.');
  }
}

/**
 * Nest's `ValidationPipe`, and its `StandardSchemaValidationPipe` where a parameter has a schema. What class-validator and
 * class-transformer mean is what happens; added are the form of the problems and those that Nest passes over.
 */
@Injectable()
export class DtoValidationPipe extends ValidationPipe implements OnModuleInit {
  readonly #schemas = new StandardSchemaValidationPipe({
    exceptionFactory: (issues) => new Refused({ problems: issues.map(problemOf) }),
  });
  #queries: ReadonlyMap<unknown, QueryCache> = new Map();

  constructor(private readonly routes: Routes) {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      transformOptions: { exposeUnsetFields: false },
      validationError: { target: true, value: true },
      exceptionFactory: (errors) => new Refused({ made: errors[0]!.target, problems: fieldProblems(errors) }),
    });
  }

  onModuleInit(): void {
    this.#queries = new Map(sharedQueries(this.routes.all()).map((query) => [query, new QueryCache()]));
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype, data, schema } = metadata;
    if (type === 'custom') return value;
    const isWhole = data === undefined && this.toValidate(metadata);
    if (type !== 'body' && !schema && !isWhole) return this.transformPrimitive(value, metadata);
    const validate = async () => {
      const { made, problems } = await this.judge(value, metadata);
      if (problems.length > 0) throw refusal(problems, metadata);
      return made;
    };
    const cache = this.#queries.get(metatype);
    return cache && !schema ? cache.get(value, validate) : validate();
  }

  /** As `transform`, for those who tell of the problems themselves. */
  async judge(value: unknown, metadata: ArgumentMetadata): Promise<Judged> {
    const reserved = reservedMembers(value);
    const { made, problems } = await this.#byNest(value, metadata);
    const isOfKind = ({ path: inner }: FieldProblem) =>
      problems.some(({ code, path }) => OF_KIND.includes(code) && covers(path, inner));
    const strays = [
      ...reserved.map((path) => reservedProblem(path, made)),
      ...straysOf(value, metadata.schema ? undefined : made).filter(
        (stray) => stray.code !== 'out_of_range' || (metadata.type === 'body' && !isOfKind(stray)),
      ),
    ];
    const others = problems.filter(({ path }) => !strays.some((stray) => covers(stray.path, path)));
    return { made, problems: [...strays, ...others] };
  }

  /** TypeScript writes these down for types that have no rules. */
  protected override toValidate(metadata: ArgumentMetadata): boolean {
    return super.toValidate(metadata) && ![BigInt, Map, Set].some((type) => type === metadata.metatype);
  }

  async #byNest(value: unknown, metadata: ArgumentMetadata): Promise<Judged> {
    const { type, data, schema } = metadata;
    try {
      if (schema) return { made: await this.#schemas.transform(value, metadata), problems: [] };
      if (!this.toValidate(metadata)) return { made: value, problems: [] };
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        const message = data === undefined ? 'The body must be a JSON object' : 'must be a JSON object';
        return { problems: [{ path: [], code: 'invalid_type', message }] };
      }
      const given = type === 'body' ? value : new ParameterTexts(value);
      return { made: await super.transform(given, metadata), problems: [] };
    } catch (error) {
      if (error instanceof Refused) return error.judged;
      throw error;
    }
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

/** Problems that say already that no number belongs there. */
const OF_KIND = ['unknown_field', 'read_only_field', 'invalid_type', 'invalid_enum_value'];
const covers = (outer: Path, inner: Path) => outer.every((step, i) => step === inner[i]);

/** A decimal number, unless it is an integer that a number does not hold exactly. */
function numberOf(text: string): number | undefined {
  const number = Number(text);
  const isExact = Number.isSafeInteger(number) || !Number.isInteger(number);
  return /^-?\d+(?:\.\d+)?$/.test(text) && isExact ? number : undefined;
}

/** The query classes of the routes whose pages are shared. */
const sharedQueries = (routes: readonly Route[]): unknown[] =>
  routes
    .filter(({ sharesPages }) => sharesPages)
    .flatMap(({ parameters }) => parameters)
    .filter(({ kind }) => kind === RouteParamtypes.QUERY)
    .map(({ declaredType }) => declaredType);

type IssuesToError = NonNullable<StandardSchemaValidationPipeOptions['exceptionFactory']>;

/** The problem of an issue of Standard Schema. */
const problemOf = ({ path = [], message }: Parameters<IssuesToError>[0][number]): FieldProblem => ({
  path: path.map((step) => String(typeof step === 'object' ? step.key : step)),
  code: 'invalid_value',
  message: message.replace(/\.$/, ''),
});

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
