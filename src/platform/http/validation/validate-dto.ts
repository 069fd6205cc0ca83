import { plainToInstance } from 'class-transformer';
import { type ValidationError, Validator, type ValidatorOptions } from 'class-validator';
import { Int64 } from '../../../kernel/int64.js';
import {
  type Dto,
  type DtoClass,
  type FieldProblem,
  fieldProblems,
  MAX_UNKNOWN,
  unknownField,
} from './field-problems.js';
import { hasPureRules } from './rules.js';
import { policyOf } from './validated-by.decorator.js';

/** Plain data as an instance of its class, and everything that is wrong with it. */
export interface Validated<Type extends Dto> {
  readonly dto: Type;
  readonly problems: readonly FieldProblem[];
}

const OPTIONS: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  validationError: { target: false, value: false },
};
const validator = new Validator();
const NONE: readonly FieldProblem[] = [];

/** Holds a body against the rules of its class, and asks its policy too if they refuse it. */
export function validateBody<Type extends Dto>(
  shape: DtoClass<Type>,
  data: object,
): Validated<Type> | Promise<Validated<Type>> {
  if (hasPureRules(shape)) return validateBodySync(shape, data);
  const built = build(shape, data, asJson);
  return validator.validate(built.dto, OPTIONS).then((errors) => withPolicy(shape, judged(built, errors)));
}

/** The same at once: rules that wait for something are not asked. */
export function validateBodySync<Type extends Dto>(shape: DtoClass<Type>, data: object): Validated<Type> {
  const built = build(shape, data, asJson);
  return withPolicy(shape, judged(built, validator.validateSync(built.dto, OPTIONS)));
}

/** Holds parameters, which come as text, against the rules of their class. */
export function validateParameters<Type extends Dto>(
  shape: DtoClass<Type>,
  data: object,
): Validated<Type> | Promise<Validated<Type>> {
  const built = build(shape, data, asText);
  if (hasPureRules(shape)) return judged(built, validator.validateSync(built.dto, OPTIONS));
  return validator.validate(built.dto, OPTIONS).then((errors) => judged(built, errors));
}

/** An instance of the class with what was sent, and the paths of what would hide something that the class inherits. */
interface Built<Type extends Dto> {
  readonly dto: Type;
  readonly foreign: [owner: Dto, path: readonly string[]][];
}

/** Reads a value as what the class declares. */
type Read = (value: unknown, shape: DtoClass, field: string) => unknown;

function build<Type extends Dto>(
  shape: DtoClass<Type>,
  data: object,
  read: Read,
  path: readonly string[] = [],
  foreign: Built<Type>['foreign'] = [],
): Built<Type> {
  const dto = emptyOf(shape);
  const values = dto as Record<string, unknown>;
  for (const [field, value] of Object.entries(data)) {
    // A field named "constructor" would be taken for something else.
    if (field in dto && !Object.hasOwn(dto, field)) foreign.push([dto, [...path, field]]);
    else if (typeof value === 'object' && value !== null)
      values[field] = nested(shape, field, value, read, [...path, field], foreign);
    else values[field] = read(value, shape, field);
  }
  return { dto, foreign };
}

/** Whether a class gives its fields values of its own. */
const withDefaults = new WeakMap<DtoClass, boolean>();

/** With what the class itself gives a value and nothing else: `'note' in change` tells whether it was sent. */
function emptyOf<Type extends Dto>(shape: DtoClass<Type>): Type {
  let hasDefaults = withDefaults.get(shape);
  if (hasDefaults === undefined) {
    hasDefaults = Object.values(new shape()).some((value) => value !== undefined);
    withDefaults.set(shape, hasDefaults);
  }
  const dto = Object.create(shape.prototype as object) as Type;
  if (!hasDefaults) return dto;
  const given = Object.entries(new shape()).filter(([, value]) => value !== undefined);
  return Object.assign(dto, Object.fromEntries(given));
}

const declaredType = (shape: DtoClass, field: string): unknown =>
  Reflect.getMetadata('design:type', shape.prototype as object, field);

/** A nested object becomes an instance of its class: of the declared one, else of the one that `@Type` names. */
function nested(
  shape: DtoClass,
  field: string,
  value: object,
  read: Read,
  path: readonly string[],
  foreign: Built<Dto>['foreign'],
): unknown {
  const copy = (plainToInstance(shape, { [field]: value }) as Record<string, unknown>)[field];
  const declared = declaredType(shape, field);
  const instance = (item: unknown, typed: unknown, at: readonly string[]): unknown => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    const known = (typed as object | undefined)?.constructor;
    const type = known === Object ? declared : known;
    return isDtoClass(type) ? build(type, item, read, at, foreign).dto : item;
  };
  if (!Array.isArray(value)) return instance(value, copy, path);
  return value.map((item, i) => instance(item, (copy as unknown[])[i], [...path, String(i)]));
}

const PLAIN: ReadonlySet<unknown> = new Set([
  String,
  Number,
  Boolean,
  BigInt,
  Symbol,
  Array,
  Object,
  Date,
  Map,
  Set,
  Promise,
  Function,
]);

/** Whether a declared type is a class whose rules can be asked. */
export const isDtoClass = (type: unknown): type is DtoClass => typeof type === 'function' && !PLAIN.has(type);

const RFC_3339 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/;

const asJson: Read = (value, shape, field) => {
  if (typeof value !== 'string' || !RFC_3339.test(value) || declaredType(shape, field) !== Date) return value;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : date;
};

/** Text in another spelling than we would write it stays text, which the rule of the field refuses. */
const asText: Read = (value, shape, field) => {
  if (typeof value !== 'string') return value;
  switch (declaredType(shape, field)) {
    case Number:
      return numberOf(value);
    case BigInt:
      return Int64.parse(value) ?? value;
    case Boolean:
      return value === 'true' ? true : value === 'false' ? false : value;
    case Array:
      return [value];
    default:
      return asJson(value, shape, field);
  }
};

function numberOf(text: string): unknown {
  const number = Number(text);
  if (String(number) === text) return number;
  return /^-?[1-9]\d*$/.test(text) ? BigInt(text) : text;
}

function judged<Type extends Dto>({ dto, foreign }: Built<Type>, errors: ValidationError[]): Validated<Type> {
  if (errors.length === 0 && foreign.length === 0) return { dto, problems: NONE };
  const problems = foreign.slice(0, MAX_UNKNOWN).map(([owner, path]) => unknownField(owner, path));
  return { dto, problems: [...problems, ...fieldProblems(errors, dto, [])] };
}

function withPolicy<Type extends Dto>(shape: DtoClass<Type>, validated: Validated<Type>): Validated<Type> {
  const { dto, problems } = validated;
  if (problems.length === 0) return validated;
  const misshapen = new Set(problems.map(({ path }) => path[0]));
  const rest = Object.fromEntries(Object.entries(dto).filter(([field]) => !misshapen.has(field)));
  const objections = policyOf(shape)(rest).map(({ field, code, message }) => ({
    path: [field],
    code,
    message,
  }));
  return { dto, problems: [...problems, ...objections] };
}
