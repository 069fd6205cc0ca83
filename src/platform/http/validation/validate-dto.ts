import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidationTypes, Validator, type ValidatorOptions } from 'class-validator';
import { Int64 } from '../../../kernel/int64.js';
import { hasPureRules, policyOf } from './dto.decorators.js';
import { type Dto, type DtoClass, type FieldProblem, fieldProblems, unknownField } from './problems.js';

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

/** Validates a body by the rules of its class, and by its policy too if it breaks any of them. */
export function validateBody<Type extends Dto>(
  shape: DtoClass<Type>,
  data: object,
): Validated<Type> | Promise<Validated<Type>> {
  if (hasPureRules(shape)) return validateBodySync(shape, data);
  return validate(build(shape, data, fromJson)).then((validated) => withPolicy(shape, validated));
}

/** The same without a promise: asynchronous rules are left out. */
export function validateBodySync<Type extends Dto>(shape: DtoClass<Type>, data: object): Validated<Type> {
  return withPolicy(shape, validateSync(build(shape, data, fromJson)));
}

/** Validates parameters, which come as text, by the rules of their class. */
export function validateParameters<Type extends Dto>(
  shape: DtoClass<Type>,
  data: object,
): Validated<Type> | Promise<Validated<Type>> {
  const built = build(shape, data, fromText);
  return hasPureRules(shape) ? validateSync(built) : validate(built);
}

/** An instance of the class with what was sent, and the problems of fields that would hide something the class inherits. */
interface Built<Type extends Dto> extends Validated<Type> {
  readonly problems: FieldProblem[];
}

async function validate<Type extends Dto>(built: Built<Type>): Promise<Validated<Type>> {
  const errors = await validator.validate(built.dto, OPTIONS);
  built.problems.push(...fieldProblems(errors, built.dto, []));
  return built;
}

function validateSync<Type extends Dto>(built: Built<Type>): Validated<Type> {
  const errors = validator.validateSync(built.dto, OPTIONS);
  if (errors.length > 0) built.problems.push(...fieldProblems(errors, built.dto, []));
  return built;
}

function withPolicy<Type extends Dto>(shape: DtoClass<Type>, validated: Validated<Type>): Validated<Type> {
  const { dto, problems } = validated;
  if (problems.length === 0) return validated;
  const invalid = new Set(problems.map(({ path }) => path[0]));
  const rest = Object.fromEntries(Object.entries(dto).filter(([field]) => !invalid.has(field)));
  const ofPolicy = policyOf(shape)(rest).map(({ field, code, message }) => ({
    path: [field],
    code,
    message,
  }));
  return { dto, problems: [...problems, ...ofPolicy] };
}

/** Converts a value to what the class declares. */
type Convert = (value: unknown, shape: DtoClass, field: string) => unknown;

function build<Type extends Dto>(
  shape: DtoClass<Type>,
  data: object,
  convert: Convert,
  path: readonly string[] = [],
  problems: FieldProblem[] = [],
): Built<Type> {
  const dto = emptyOf(shape);
  const values = dto as Record<string, unknown>;
  for (const [field, value] of Object.entries(data)) {
    // A field named "constructor" would be taken for something else.
    if (field in dto && !Object.hasOwn(dto, field)) {
      problems.push(unknownField(dto, [...path, field]));
    } else if (typeof value === 'object' && value !== null)
      values[field] = nested(shape, field, value, convert, [...path, field], problems);
    else values[field] = convert(value, shape, field);
  }
  return { dto, problems };
}

/** Whether a class gives its fields values of its own. */
const withDefaults = new WeakMap<DtoClass, boolean>();

/** An instance with the default values of its class and nothing else: `'note' in change` tells whether it was sent. */
function emptyOf<Type extends Dto>(shape: DtoClass<Type>): Type {
  let hasDefaults = withDefaults.get(shape);
  if (hasDefaults === undefined) {
    hasDefaults = Object.values(new shape()).some((value) => value !== undefined);
    withDefaults.set(shape, hasDefaults);
  }
  const dto = Object.create(shape.prototype as object) as Type;
  if (!hasDefaults) return dto;
  const defaults = Object.entries(new shape()).filter(([, value]) => value !== undefined);
  return Object.assign(dto, Object.fromEntries(defaults));
}

const declaredType = (shape: DtoClass, field: string): unknown =>
  Reflect.getMetadata('design:type', shape.prototype as object, field);

/** The fields of each class that `@ValidateNested()` stands on. */
const nestedFields = new WeakMap<DtoClass, ReadonlySet<string>>();

function isNested(shape: DtoClass, field: string): boolean {
  let fields = nestedFields.get(shape);
  if (!fields) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
    const ofNested = rules.filter(({ type }) => type === ValidationTypes.NESTED_VALIDATION);
    nestedFields.set(shape, (fields = new Set(ofNested.map(({ propertyName }) => propertyName))));
  }
  return fields.has(field);
}

/** A nested object becomes an instance of its class: of the declared one, else of the one that `@Type` names. */
function nested(
  shape: DtoClass,
  field: string,
  value: object,
  convert: Convert,
  path: readonly string[],
  problems: FieldProblem[],
): unknown {
  if (!isNested(shape, field)) return value;
  const copy = (plainToInstance(shape, { [field]: value }) as Record<string, unknown>)[field];
  const declared = declaredType(shape, field);
  const instance = (item: unknown, typed: unknown, at: readonly string[]): unknown => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    const known = (typed as object | undefined)?.constructor;
    const type = known === Object ? declared : known;
    return isDtoClass(type) ? build(type, item, convert, at, problems).dto : item;
  };
  if (!Array.isArray(value)) return instance(value, copy, path);
  return value.map((item, i) => instance(item, (copy as unknown[])[i], [...path, String(i)]));
}

const BUILT_IN = new Set<unknown>([
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

/** Whether a declared type is a class that may have rules. */
export const isDtoClass = (type: unknown): type is DtoClass =>
  typeof type === 'function' && !BUILT_IN.has(type);

const RFC_3339 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/;

const fromJson: Convert = (value, shape, field) => {
  if (typeof value !== 'string' || !RFC_3339.test(value) || declaredType(shape, field) !== Date) return value;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : date;
};

/** Text that is not spelt as we would write it stays text, which the rule of the field rejects. */
const fromText: Convert = (value, shape, field) => {
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
      return fromJson(value, shape, field);
  }
};

function numberOf(text: string): unknown {
  const number = Number(text);
  if (String(number) === text) return number;
  return /^-?[1-9]\d*$/.test(text) ? BigInt(text) : text;
}
