import { TransformationType, type TransformFnParams } from 'class-transformer';
// @ts-expect-error -- class-transformer has no types for this file
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';

/**
 * class-transformer does not document its storage, which @nestjs/swagger and @nestjs/mapped-types use as well. It is used in no
 * other file (docs/decisions/0071-class-validator.md).
 */
const storage = defaultMetadataStorage as MetadataStorage;

const typeOf = (shape: Function, field: string) =>
  storage.findTypeMetadata(shape, field) as ReturnType<MetadataStorage['findTypeMetadata']> | undefined;

/** The class that `@Type` names for a field, or for each item of an array; undefined without it. */
export const typeNamed = (shape: Function, field: string): unknown => typeOf(shape, field)?.typeFunction();

/** All classes that `@Type` names for a field; several if a discriminator chooses among them. */
export function typesNamed(shape: Function, field: string): unknown[] {
  const type = typeOf(shape, field);
  if (!type) return [];
  return type.options.discriminator?.subTypes.map(({ value }) => value) ?? [type.typeFunction()];
}

/** What `@Transform` makes of the value of a field in a request. */
export const transformsOf = (shape: Function, field: string): ((value: unknown, data: object) => unknown)[] =>
  storage
    .findTransformMetadatas(shape, field, TransformationType.PLAIN_TO_CLASS)
    .map(({ transformFn }) => (value, obj) => {
      const type = TransformationType.PLAIN_TO_CLASS;
      return transformFn({
        value,
        obj,
        key: field,
        type,
        options: {},
      } satisfies TransformFnParams) as unknown;
    });

/** The decorators of a class that would rename or drop fields of a request, which must never be ignored. */
export function renamesOrDrops(shape: Function, fields: Iterable<string>): string | undefined {
  if (storage.getStrategy(shape) === 'excludeAll') return '@Exclude()';
  const dropped = storage.getExcludedProperties(shape, TransformationType.PLAIN_TO_CLASS);
  const renamed = storage
    .getExposedMetadatas(shape)
    .filter(({ options }) => options.name !== undefined && !options.toPlainOnly)
    .map(({ propertyName }) => propertyName);
  for (const field of fields) {
    if (dropped.includes(field)) return `@Exclude() on ${field}`;
    if (renamed.includes(field)) return `@Expose({ name }) on ${field}`;
  }
  return undefined;
}
