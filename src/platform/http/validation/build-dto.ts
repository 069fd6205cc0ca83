import { plainToInstance } from 'class-transformer';
import type { Convert } from './conversions.js';
import { type DtoField, fieldsOf, isDtoClass } from './dto-fields.js';
import { type Dto, type DtoClass, type FieldProblem, unknownField } from './problems.js';

/** An instance of a class with plain data, and the problems that class-validator would not find. */
export interface Built<Type extends Dto> {
  readonly dto: Type;
  readonly problems: FieldProblem[];
}

/** Makes an instance, in which each value has the type of its field. `path` leads to a nested one. */
export function build<Type extends Dto>(
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
const isMisshapen = ({ isNested, declared }: DtoField, value: unknown): boolean =>
  isNested &&
  typeof value === 'object' &&
  value !== null &&
  (declared === Array ? !Array.isArray(value) : isDtoClass(declared) && Array.isArray(value));

const shapeOf = ({ declared }: DtoField) => (declared === Array ? 'must be an array' : 'must be an object');

/** An instance with only the default values of its class, so that `'note' in change` tells whether a field was sent. */
function emptyOf<Type extends Dto>(shape: DtoClass<Type>): Type {
  const defaults = Object.entries(new shape()).filter(([, value]) => value !== undefined);
  const dto = Object.create(shape.prototype as object) as Type;
  return defaults.length === 0 ? dto : Object.assign(dto, Object.fromEntries(defaults));
}

/** Converts a nested object to an instance of its declared class, or of the class that `@Type` names. */
function nested(
  shape: DtoClass,
  { name, declared }: DtoField,
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
