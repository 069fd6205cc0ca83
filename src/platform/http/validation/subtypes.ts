// @ts-expect-error -- the package has types for it, but not at the path of its code
import { defaultMetadataStorage as untyped } from 'class-transformer/cjs/storage.js';
import type { defaultMetadataStorage as Storage } from 'class-transformer/types/storage.js';
import { ValidationTypes } from 'class-validator';
import { type FieldProblem, type Path, rulesOf } from './problems.js';

/** What `@Type`, `@Expose` and the like say of a field. */
export const transformerMetadata = untyped as typeof Storage;

/**
 * The problems of objects whose class the discriminator of a `@Type` decides: class-transformer takes a word that it does not know
 * for the base class, and fails on null.
 */
export function subtypeProblems(dto: Function, given: unknown, path: Path = []): FieldProblem[] {
  if (typeof given !== 'object' || given === null) return [];
  const nested = rulesOf(dto).filter(({ type }) => type === ValidationTypes.NESTED_VALIDATION);
  return nested.flatMap(({ propertyName: name }) => {
    const known = transformerMetadata.findTypeMetadata(dto, name);
    const value = (given as Record<string, unknown>)[name];
    if (!known || value === undefined || value === null) return [];
    const { property, subTypes } = known.options.discriminator ?? {};
    const judge = (item: unknown, at: Path): FieldProblem[] => {
      if (!property || !subTypes)
        return subtypeProblems(known.typeFunction({ newObject: {}, object: {}, property: name }), item, at);
      if (typeof item !== 'object' || item === null)
        return [{ path: at, code: 'invalid_type', message: 'must be an object' }];
      const word = (item as Record<string, unknown>)[property];
      const found = subTypes.find((one) => one.name === word);
      if (found) return subtypeProblems(found.value, item, at);
      const message = `must be one of ${subTypes.map((one) => one.name).join(', ')}`;
      return [{ path: [...at, property], code: 'invalid_enum_value', message }];
    };
    const at = [...path, name];
    // Of several classes a single one is declared as an Object.
    const declared: unknown = Reflect.getMetadata('design:type', dto.prototype as object, name);
    if (property && declared === Object && Array.isArray(value)) return judge(null, at);
    return Array.isArray(value)
      ? value.flatMap((item, i) => judge(item, [...at, String(i)]))
      : judge(value, at);
  });
}
