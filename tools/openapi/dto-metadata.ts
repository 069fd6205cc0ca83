import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DECORATORS } from '@nestjs/swagger';
import type { Route } from '../../src/platform/http/routes/routes.js';
import { declaredParametersOf } from './handlers.js';

// @ts-expect-error -- the package has types for it, but not at the path of its code, which class-validator-jsonschema documents
import { defaultMetadataStorage as untyped } from 'class-transformer/cjs/storage.js';
import type { defaultMetadataStorage as Storage } from 'class-transformer/types/storage.js';

/** The metadata of `@Type`, `@Expose` and similar decorators. */
export const transformerMetadata = untyped as typeof Storage;

export type DtoClass = new () => object;

const VALIDATED = [RouteParamtypes.BODY, RouteParamtypes.QUERY, RouteParamtypes.PARAM];

/** The classes of a handler's validated parameters. */
export const dtosOf = (route: Route): { kind: RouteParamtypes; dto: DtoClass }[] =>
  declaredParametersOf(route).flatMap(({ kind, declaredType: dto }) =>
    kind !== undefined && VALIDATED.includes(kind) && isDtoClass(dto) ? [{ kind, dto }] : [],
  );

const BUILT_IN: readonly unknown[] = [
  Number,
  BigInt,
  Boolean,
  Date,
  String,
  Symbol,
  Array,
  Object,
  Map,
  Set,
  Promise,
  Function,
  Buffer,
];

/** Whether a declared type is a class that can have rules. */
export const isDtoClass = (type: unknown): type is DtoClass =>
  typeof type === 'function' && !BUILT_IN.includes(type);

/** The options of `@ApiProperty` for the fields of a class. */
export function documentedFields(dto: DtoClass): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const prototype = dto.prototype as object;
  const names = (Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, prototype) ?? []) as string[];
  const read = (name: string) =>
    Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype, name) as object;
  return new Map(names.map((marked) => [marked.slice(1), { ...read(marked.slice(1)) }]));
}

export const declaredType = (dto: DtoClass, field: string): unknown =>
  Reflect.getMetadata('design:type', dto.prototype as object, field);
