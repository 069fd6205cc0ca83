import { ValidationTypes } from 'class-validator';
import type { FieldTypes } from './conversions.js';
import { isInstant } from './dto.decorators.js';
import type { DtoClass } from './problems.js';
import { fieldsWithRules } from './rules.js';
import { transformsOf, typeNamed } from './transforms.js';

/** What the decorators of a field say of its values. */
export interface DtoField extends FieldTypes {
  readonly name: string;
  /** Whether it has `@ValidateNested()`. */
  readonly isNested: boolean;
  /** Whether its rules hold under a condition only, such as that it was sent. */
  readonly isOptional: boolean;
  readonly transforms: ReturnType<typeof transformsOf>;
}

const fieldsOfClass = new WeakMap<DtoClass, ReadonlyMap<string, DtoField>>();

/** The fields of a class that have rules; others are rejected. */
export function fieldsOf(shape: DtoClass): ReadonlyMap<string, DtoField> {
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
