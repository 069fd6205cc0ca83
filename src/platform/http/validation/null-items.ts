import type { ValidationError } from '@nestjs/common';

/** Replaces a null. JSON does not have this value, and it is not an object. */
const NO_OBJECT = Number.NaN;

/**
 * Copies a body in which class-transformer has failed, without nulls in lists. The reason may be a null in a list of objects, because
 * class-transformer reads a discriminator of each item. What replaces the null is reported by class-validator.
 */
export function withoutNullItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (item === null ? NO_OBJECT : withoutNullItems(item)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutNullItems(member)]));
}

/** Selects the errors of such a copy that require an object in place of a null. */
export function ofNullItems(errors: readonly ValidationError[]): ValidationError[] {
  return errors.flatMap((error) => {
    if (Number.isNaN(error.value) && error.constraints?.['nestedValidation']) return [error];
    const children = ofNullItems(error.children ?? []);
    return children.length > 0 ? [{ ...error, constraints: {}, children }] : [];
  });
}
