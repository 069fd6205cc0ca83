import { plainToInstance } from 'class-transformer';
import { type ValidationError, Validator, type ValidatorOptions } from 'class-validator';
import { type DtoField, fromBody, fromQuery, isOf } from './conversions.js';
import { isPlain, hasPureRules, policyOf } from './dto.decorators.js';
import { type Dto, type DtoClass, shapeOf } from './dto-shape.js';
import { type FieldProblem, fieldProblems, unknownName } from './problems.js';

/** Plain data as an instance of its class, with all its problems. */
export interface Validated<Type extends Dto> {
  readonly dto: Type;
  readonly problems: FieldProblem[];
}

const OPTIONS: ValidatorOptions = {
  // Unknown fields are found before, with those that class-transformer drops.
  forbidUnknownValues: false,
  validationError: { target: false, value: false },
};
const validator = new Validator();

/** Validates a body by the rules of its class; if any is violated, also by its policy. */
export function validateBody<Type extends Dto>(
  shape: DtoClass<Type>,
  data: object,
): Validated<Type> | Promise<Validated<Type>> {
  if (hasPureRules(shape)) return validateBodySync(shape, data);
  return withRules(build(shape, data, fromBody)).then((validated) => withPolicy(shape, validated));
}

/** As `validateBody`, synchronously: asynchronous rules are skipped. */
export const validateBodySync = <Type extends Dto>(shape: DtoClass<Type>, data: object): Validated<Type> =>
  withPolicy(shape, withSyncRules(build(shape, data, fromBody)));

/** Validates parameters, which are text, by the rules of their class. */
export function validateParameters<Type extends Dto>(
  shape: DtoClass<Type>,
  data: object,
): Validated<Type> | Promise<Validated<Type>> {
  const built = build(shape, data, fromQuery);
  return hasPureRules(shape) ? withSyncRules(built) : withRules(built);
}

/** Makes an instance, and finds the problems that class-validator does not. */
function build<Type extends Dto>(
  shape: DtoClass<Type>,
  data: object,
  convert: (value: unknown, field: DtoField) => unknown,
): Validated<Type> {
  const { fields, named } = shapeOf(shape);
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data)) {
    const field = fields.get(name);
    if (field) plain[name] = harmless(convert(value, field));
  }
  const dto = isPlain(shape)
    ? Object.assign(new shape(), plain)
    : plainToInstance(shape, plain, { exposeUnsetFields: false });
  // class-transformer makes a number of any text, and `true` of any but an empty one.
  for (const { name, named: type } of named)
    if (name in plain && !isOf(type, plain[name])) (dto as Record<string, unknown>)[name] = plain[name];
  return { dto, problems: shapeProblems(dto, data) };
}

/** A value without members called "constructor", which class-transformer would call. */
function harmless(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(harmless);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'constructor');
  return Object.fromEntries(members.map(([name, member]) => [name, harmless(member)]));
}

/**
 * The problems that class-validator does not see: fields that are not known, also those named as a member of the class; an
 * array in place of an object, the reverse, and neither. Takes from the instance what was not sent, so that `'note' in
 * change` tells whether it was.
 */
function shapeProblems(
  dto: Dto,
  data: object,
  path: readonly string[] = [],
  problems: FieldProblem[] = [],
): FieldProblem[] {
  const { fields, known, nested } = shapeOf(dto.constructor as DtoClass);
  const values = dto as Record<string, unknown>;
  // The last first: V8 then keeps the object fast.
  for (const name of Object.keys(values).reverse()) if (values[name] === undefined) delete values[name];
  for (const name of Object.keys(data))
    if (!fields.has(name))
      problems.push({ path: [...path, name], code: 'unknown_field', message: unknownName(name, known) });
  for (const { name, declared, isOptional } of nested) {
    const at = [...path, name];
    const [made, given] = [values[name], (data as typeof values)[name]];
    if (made !== undefined) nestedProblems(declared, made, given, at, problems);
    else if (!isOptional) problems.push({ path: at, code: 'required', message: 'is required' });
  }
  return problems;
}

/** `declared` is the type of the property, undefined for an item of an array. */
function nestedProblems(
  declared: unknown,
  made: unknown,
  given: unknown,
  path: readonly string[],
  problems: FieldProblem[],
): void {
  const wrong = (message: string) => void problems.push({ path, code: 'invalid_type', message });
  if (typeof made !== 'object' || made === null) return;
  if (Array.isArray(made)) {
    if (declared !== Array && declared !== Object) return wrong('must be an object');
    for (const [i, item] of made.entries())
      nestedProblems(undefined, item, (given as unknown[])[i], [...path, String(i)], problems);
  } else if (declared === Array) wrong('must be an array');
  else shapeProblems(made, given as object, path, problems);
}

const withRules = async <Type extends Dto>(built: Validated<Type>): Promise<Validated<Type>> =>
  withErrors(built, await validator.validate(built.dto, OPTIONS));

const withSyncRules = <Type extends Dto>(built: Validated<Type>): Validated<Type> =>
  withErrors(built, validator.validateSync(built.dto, OPTIONS));

/** Adds what class-validator found, except of values that are not what their field is declared as. */
function withErrors<Type extends Dto>(built: Validated<Type>, errors: ValidationError[]): Validated<Type> {
  if (errors.length === 0) return built;
  const { dto, problems } = built;
  const places = problems.map(({ path }) => path);
  const isBelow = (path: readonly string[]) =>
    places.some((outer) => outer.every((step, i) => path[i] === step));
  problems.push(...fieldProblems(errors, dto, []).filter(({ path }) => !isBelow(path)));
  return built;
}

function withPolicy<Type extends Dto>(shape: DtoClass<Type>, validated: Validated<Type>): Validated<Type> {
  const { dto, problems } = validated;
  if (problems.length === 0) return validated;
  const invalid = new Set(problems.map(({ path }) => path[0]));
  const rest = Object.fromEntries(Object.entries(dto).filter(([field]) => !invalid.has(field)));
  for (const { field, code, message } of policyOf(shape)(rest))
    problems.push({ path: [field], code, message });
  return validated;
}
