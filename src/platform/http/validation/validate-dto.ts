import { type ValidationError, Validator, type ValidatorOptions } from 'class-validator';
import { build, type Built } from './build-dto.js';
import { fromJson, fromText } from './conversions.js';
import { hasPureRules, policyOf } from './dto.decorators.js';
import { type Dto, type DtoClass, type FieldProblem, fieldProblems } from './problems.js';

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
