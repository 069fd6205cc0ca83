import { plainToInstance } from 'class-transformer';
import { type ValidationError, ValidationTypes, Validator, type ValidatorOptions } from 'class-validator';
import { type Convert, type FieldTypes, fromJson, fromText } from './conversions.js';
import { hasPureRules, isInstant, policyOf } from './dto.decorators.js';
import { fieldsWithRules } from './rules.js';
import { type Dto, type DtoClass, type FieldProblem, fieldProblems, unknownField } from './problems.js';
import { transformsOf, typeNamed } from './transforms.js';

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
  return withRules(built, errors);
}

function validateSync<Type extends Dto>(built: Built<Type>): Validated<Type> {
  return withRules(built, validator.validateSync(built.dto, OPTIONS));
}

/** Adds what class-validator found, except of values that are not what their field is declared as. */
function withRules<Type extends Dto>(built: Built<Type>, errors: ValidationError[]): Built<Type> {
  if (errors.length === 0) return built;
  const { dto, problems } = built;
  const isBelow = (path: readonly string[], outer: readonly string[]) =>
    outer.every((step, i) => path[i] === step);
  const found = fieldProblems(errors, dto, []);
  problems.push(...found.filter(({ path }) => !problems.some((known) => isBelow(path, known.path))));
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
  const fields = fieldsOf(shape);
  for (const [name, given] of Object.entries(data)) {
    const field = fields.get(name);
    // A field such as "constructor" would shadow a member of the class.
    if (name in dto && !Object.hasOwn(dto, name)) problems.push(unknownField(dto, [...path, name]));
    else if (!field) values[name] = given;
    else if (isMisshapen(field, given))
      problems.push({ path: [...path, name], code: 'invalid_type', message: shapeOf(field) });
    else {
      let value = field.isNested
        ? nested(shape, field, given, convert, [...path, name], problems)
        : convert(given, field);
      for (const transform of field.transforms) value = transform(value, data);
      values[name] = value;
    }
  }
  for (const { name, isNested, isOptional } of fields.values()) {
    if (isNested && !isOptional && !(name in data) && values[name] === undefined)
      problems.push({ path: [...path, name], code: 'required', message: 'is required' });
  }
  return { dto, problems };
}

/** `@ValidateNested()` alone accepts an array in place of an object and the reverse, and, as the loop above, none at all. */
const isMisshapen = ({ isNested, declared }: Field, value: unknown): boolean =>
  isNested &&
  typeof value === 'object' &&
  value !== null &&
  (declared === Array ? !Array.isArray(value) : isDtoClass(declared) && Array.isArray(value));

const shapeOf = ({ declared }: Field) => (declared === Array ? 'must be an array' : 'must be an object');

interface Field extends FieldTypes {
  readonly name: string;
  /** Whether it has `@ValidateNested()`. */
  readonly isNested: boolean;
  /** Whether its rules hold under a condition only, such as that it was sent. */
  readonly isOptional: boolean;
  readonly transforms: ReturnType<typeof transformsOf>;
}

const fieldsOfClass = new WeakMap<DtoClass, ReadonlyMap<string, Field>>();

/** The fields of a class that have rules; others are rejected. */
function fieldsOf(shape: DtoClass): ReadonlyMap<string, Field> {
  let fields = fieldsOfClass.get(shape);
  if (!fields) {
    const nestedFields = fieldsWithRules(shape, ValidationTypes.NESTED_VALIDATION);
    const optional = fieldsWithRules(shape, ValidationTypes.CONDITIONAL_VALIDATION);
    const prototype = shape.prototype as object;
    fields = new Map(
      [...fieldsWithRules(shape)].map((name) => [
        name,
        {
          name,
          declared: declaredType(shape, name),
          named: typeNamed(shape, name),
          isInstant: isInstant(prototype, name),
          isNested: nestedFields.has(name),
          isOptional: optional.has(name),
          transforms: transformsOf(shape, name),
        },
      ]),
    );
    fieldsOfClass.set(shape, fields);
  }
  return fields;
}

export const declaredType = (shape: DtoClass, field: string): unknown =>
  Reflect.getMetadata('design:type', shape.prototype as object, field);

/** An instance with only the default values of its class, so that `'note' in change` tells whether a field was sent. */
function emptyOf<Type extends Dto>(shape: DtoClass<Type>): Type {
  const defaults = Object.entries(new shape()).filter(([, value]) => value !== undefined);
  const dto = Object.create(shape.prototype as object) as Type;
  return defaults.length === 0 ? dto : Object.assign(dto, Object.fromEntries(defaults));
}

/** Converts a nested object to an instance of its declared class, or of the class that `@Type` names. */
function nested(
  shape: DtoClass,
  { name, declared }: Field,
  value: unknown,
  convert: Convert,
  path: readonly string[],
  problems: FieldProblem[],
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy = (plainToInstance(shape, { [name]: value }) as Record<string, unknown>)[name];
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
