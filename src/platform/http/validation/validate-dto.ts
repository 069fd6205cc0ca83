import { plainToInstance } from 'class-transformer';
import { ValidationTypes, Validator, type ValidatorOptions } from 'class-validator';
import { type Convert, declaredType, fromJson, fromText } from './conversions.js';
import { hasPureRules, policyOf } from './dto.decorators.js';
import { fieldsWithRules } from './rules.js';
import { type Dto, type DtoClass, type FieldProblem, fieldProblems, unknownField } from './problems.js';

/** Plain data as an instance of its class, with all its problems. */
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

/** Validates a body by the rules of its class; if any is violated, also by its policy. */
export function validateBody<Type extends Dto>(
  shape: DtoClass<Type>,
  data: object,
): Validated<Type> | Promise<Validated<Type>> {
  if (hasPureRules(shape)) return validateBodySync(shape, data);
  return validate(build(shape, data, fromJson)).then((validated) => withPolicy(shape, validated));
}

/** As `validateBody`, synchronously: asynchronous rules are skipped. */
export function validateBodySync<Type extends Dto>(shape: DtoClass<Type>, data: object): Validated<Type> {
  return withPolicy(shape, validateSync(build(shape, data, fromJson)));
}

/** Validates parameters, which are text, by the rules of their class. */
export function validateParameters<Type extends Dto>(
  shape: DtoClass<Type>,
  data: object,
): Validated<Type> | Promise<Validated<Type>> {
  const built = build(shape, data, fromText);
  return hasPureRules(shape) ? validateSync(built) : validate(built);
}

/** An instance of the class with the data, and problems of fields that would shadow inherited members. */
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
    // A field such as "constructor" would shadow a member of the class.
    if (field in dto && !Object.hasOwn(dto, field)) {
      problems.push(unknownField(dto, [...path, field]));
    } else if (typeof value === 'object' && value !== null)
      values[field] = nested(shape, field, value, convert, [...path, field], problems);
    else values[field] = convert(value, shape, field);
  }
  return { dto, problems };
}

/** An instance with only the default values of its class, so that `'note' in change` tells whether a field was sent. */
function emptyOf<Type extends Dto>(shape: DtoClass<Type>): Type {
  const defaults = Object.entries(new shape()).filter(([, value]) => value !== undefined);
  const dto = Object.create(shape.prototype as object) as Type;
  return defaults.length === 0 ? dto : Object.assign(dto, Object.fromEntries(defaults));
}

/** The fields of each class with `@ValidateNested()`. */
const nestedFields = new WeakMap<DtoClass, ReadonlySet<string>>();

function isNested(shape: DtoClass, field: string): boolean {
  let fields = nestedFields.get(shape);
  if (!fields) {
    fields = fieldsWithRules(shape, ValidationTypes.NESTED_VALIDATION);
    nestedFields.set(shape, fields);
  }
  return fields.has(field);
}

/** Converts a nested object to an instance of its declared class, or of the class that `@Type` names. */
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
  Buffer,
]);

/** Whether a declared type is a class that can have rules. */
export const isDtoClass = (type: unknown): type is DtoClass =>
  typeof type === 'function' && !BUILT_IN.has(type);
