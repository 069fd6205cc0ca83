import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DECORATORS } from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import type { Route } from '../../src/platform/http/routes.js';

export type DtoClass = new () => object;

const VALIDATED = [RouteParamtypes.BODY, RouteParamtypes.QUERY, RouteParamtypes.PARAM];

/** The classes of a handler's validated parameters. */
export const dtosOf = ({ parameters }: Route): { kind: RouteParamtypes; dto: DtoClass }[] =>
  parameters.flatMap(({ kind, declaredType: dto }) =>
    VALIDATED.includes(kind) && isDtoClass(dto) ? [{ kind, dto }] : [],
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

/** The fields of a class that have a rule of this type, one of `ValidationTypes`, or of this name; inherited ones, too. */
export function fieldsWithRules(dto: Function, kind: string): Set<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const wanted = rules.filter(({ type, name }) => type === kind || name === kind);
  return new Set(wanted.map(({ propertyName }) => propertyName));
}

/** What `@ApiProperty` says of the fields of a class. */
export function documentedFields(dto: DtoClass): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const prototype = dto.prototype as object;
  const names = (Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, prototype) ?? []) as string[];
  const read = (name: string) =>
    Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype, name) as object;
  return new Map(names.map((marked) => [marked.slice(1), { ...read(marked.slice(1)) }]));
}

export const declaredType = (dto: DtoClass, field: string): unknown =>
  Reflect.getMetadata('design:type', dto.prototype as object, field);

/** The class of a nested object, or of the items of an array, by what class-transformer makes; undefined for plain data. */
export function nestedType(dto: DtoClass, field: string): DtoClass | undefined {
  const made = (plainToInstance(dto, { [field]: [{}] }) as Record<string, unknown>)[field];
  const [item] = [made].flat() as [object?];
  return item && isDtoClass(item.constructor) ? (item.constructor as DtoClass) : undefined;
}
