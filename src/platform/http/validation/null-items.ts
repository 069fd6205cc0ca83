import type { ValidationError } from '@nestjs/common';

/** Stands for a null: JSON has none, and it is not an object either. */
const NO_OBJECT = Number.NaN;

/**
 * A copy of a body in which each null of a list is no object, but not null either: of null class-transformer would read the
 * discriminator, which is a TypeError.
 */
export function withoutNullItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (item === null ? NO_OBJECT : withoutNullItems(item)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutNullItems(member)]));
}

/** Of the errors of such a copy those that ask for an object in place of a null. */
export function ofNullItems(errors: readonly ValidationError[]): ValidationError[] {
  return errors.flatMap((error) => {
    if (Number.isNaN(error.value) && error.constraints?.['nestedValidation']) return [error];
    const children = ofNullItems(error.children ?? []);
    return children.length > 0 ? [{ ...error, constraints: {}, children }] : [];
  });
}
