import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DECORATORS } from '@nestjs/swagger';
import { plainToInstance, Transform, Type } from 'class-transformer';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { Route } from '../routes.js';
import { declaredAs, type DtoField } from './conversions.js';
import { isPlain } from './dto.decorators.js';

export type Dto = object;
export type DtoClass<Of extends Dto = Dto> = new () => Of;

/** What is known of a class at the start. */
export interface DtoShape {
  readonly fields: ReadonlyMap<string, DtoField>;
  /** The fields that a client may send, in alphabetical order. */
  readonly known: readonly string[];
  readonly nested: readonly DtoField[];
  readonly named: readonly DtoField[];
  readonly opaque: ReadonlySet<string>;
}

const VALIDATED = [RouteParamtypes.BODY, RouteParamtypes.QUERY, RouteParamtypes.PARAM];

/** The classes of a handler's validated parameters. */
export const dtosOf = ({
  parameters,
}: Pick<Route, 'parameters'>): { kind: RouteParamtypes; dto: DtoClass }[] =>
  parameters.flatMap(({ kind, declaredType: dto }) =>
    VALIDATED.includes(kind) && isDtoClass(dto) ? [{ kind, dto }] : [],
  );

/** Prepares the classes that handlers take. @throws Error for one that could not be validated as its author means it */
export function checkDtos(routes: readonly Route[]): void {
  for (const route of routes)
    for (const { dto } of dtosOf(route))
      shapeOf(dto, `${dto.name}, which ${route.controller.name}.${route.property} takes,`);
}

const shapes = new WeakMap<DtoClass, DtoShape>();

/** `what` is the class, for the message of an error. @throws Error for a class or field without rules */
export function shapeOf(dto: DtoClass, what = dto.name): DtoShape {
  return shapes.get(dto) ?? makeShape(dto, what);
}

function makeShape(dto: DtoClass, what: string): DtoShape {
  const names = [...fieldsWithRules(dto)];
  checkRules(dto, names, what);
  const having = (...kinds: string[]) => new Set(kinds.flatMap((kind) => [...fieldsWithRules(dto, kind)]));
  const nested = having(ValidationTypes.NESTED_VALIDATION);
  const optional = having(ValidationTypes.CONDITIONAL_VALIDATION);
  const readOnly = having('isReadOnly');
  const instants = having('isInstant');
  const byRule = RULES_OF_TYPES.map(([type, ...rules]) => [type, having(...rules)] as const);
  const typeOfTexts = (declared: unknown, name: string) =>
    TEXT_TYPES.includes(declared) ? declared : byRule.find(([, of]) => of.has(name))?.[0];
  const fields = names.map((name): DtoField => {
    const declared = declaredType(dto, name);
    const named = typeNamed(dto, name);
    const type = instants.has(name) ? undefined : typeOfTexts(declared, name);
    const [isNested, isOptional] = [nested.has(name), optional.has(name)];
    return { name, declared, named, type: named ?? type, isNested, isOptional };
  });
  const shape: DtoShape = {
    fields: new Map(fields.map((field) => [field.name, field])),
    known: names.filter((name) => !readOnly.has(name)).toSorted(),
    nested: fields.filter(({ isNested }) => isNested),
    opaque: having('isOpaque'),
    named: fields.filter(({ named }) => named !== undefined),
  };
  const converted = fields.find(
    ({ name, isNested, declared, named }) => isNested || named || instants.has(name) || declaredAs(declared),
  );
  if (converted && isPlain(dto))
    throw new Error(
      `${dto.name} is declared to be plain, but ${converted.name} is not. Write @PureRules() alone.`,
    );
  // Before those of its fields, one of which may be the class itself.
  shapes.set(dto, shape);
  for (const { name, declared } of fields.filter((field) => !instants.has(field.name))) {
    const convert = declaredAs(declared);
    if (convert) Transform(({ value }) => convert(value))(dto.prototype as object, name);
  }
  for (const { name } of shape.nested.filter((field) => !readOnly.has(field.name))) {
    const type = nestedType(dto, name);
    shapeOf(type, `${type.name}, which is in ${dto.name}.${name},`);
  }
  return shape;
}

/** The types that a text can be converted to, each with the rules that tell it where the declaration does not. */
const RULES_OF_TYPES = [
  [Number, 'isInt', 'isNumber'],
  [BigInt, 'isInt64'],
  [Boolean, 'isBoolean'],
  [Date, 'isDate'],
] as const;
const TEXT_TYPES: readonly unknown[] = RULES_OF_TYPES.map(([type]) => type);

/**
 * The fields of a class that have a rule of class-validator, including inherited ones; only rules of this type, one of
 * `ValidationTypes`, or of this name, if `kind` is given.
 */
export function fieldsWithRules(dto: Function, kind?: string): Set<string> {
  const wanted = rulesOf(dto).filter(
    ({ type, name }) => kind === undefined || type === kind || name === kind,
  );
  return new Set(wanted.map(({ propertyName }) => propertyName));
}

/** The argument of the rule of a field, such as the bound of `@Min`. */
export const argumentOf = (dto: Function, field: string, rule: string): unknown =>
  rulesOf(dto).find(({ propertyName, name }) => propertyName === field && name === rule)?.constraints?.[0];

/**
 * class-validator exports its metadata storage for tools such as class-validator-jsonschema but does not document it, so it is
 * used nowhere else (docs/decisions/0071-class-validator.md).
 */
const rulesOf = (dto: Function) => getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);

/** A field that is documented or has a default needs a rule, except a file; a class without any field accepts none. */
function checkRules(dto: DtoClass, names: readonly string[], what: string): void {
  const fields = Object.entries(new dto());
  const documented = [...documentedFields(dto)];
  if (names.length === 0 && fields.length + documented.length > 0) throw missingRules(what);
  const needed = [
    ...documented.filter(([, { format }]) => format !== 'binary'),
    ...fields.filter(([, value]) => value !== undefined),
  ];
  const bare = needed.find(([name]) => !names.includes(name));
  if (bare) throw missingRules(`${dto.name}.${bare[0]}`);
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

/** The type by which class-transformer converts any text, seen by what it makes of one that stands for nothing. */
function typeNamed(dto: DtoClass, field: string): DtoClass | undefined {
  const made = madeOf(dto, field, '\0');
  if (made instanceof Date) return Date;
  return made === true ? Boolean : Number.isNaN(made) ? Number : undefined;
}

/** The class of a nested object, or of the items of an array, by what class-transformer makes. @throws Error if none is known */
export function nestedType(dto: DtoClass, field: string): DtoClass {
  const made = madeOf(dto, field, [{}]);
  const [item] = [made].flat() as [object?];
  if (item && item.constructor !== Object) return item.constructor as DtoClass;
  const declared = declaredType(dto, field);
  if (!isDtoClass(declared)) throw missingRules(`${dto.name}.${field}`);
  Type(() => declared)(dto.prototype as object, field);
  return declared;
}

/** What class-transformer makes of a value of one field; undefined if a `@Transform` does not take it. */
function madeOf(dto: DtoClass, field: string, value: unknown): unknown {
  try {
    return (plainToInstance(dto, { [field]: value }) as Record<string, unknown>)[field];
  } catch {
    return undefined;
  }
}

const OTHERS: readonly unknown[] = [String, Symbol, Array, Object, Map, Set, Promise, Function, Buffer];
const BUILT_IN = new Set([...TEXT_TYPES, ...OTHERS]);

/** Whether a declared type is a class that can have rules. */
export const isDtoClass = (type: unknown): type is DtoClass =>
  typeof type === 'function' && !BUILT_IN.has(type);

/** `what` is a class or a field. */
const missingRules = (what: string): Error =>
  new Error(
    `${what} has no validation rules. Give its fields class-validator's decorators; ` +
      'beside @ValidateNested() say with @Type(() => Item) of class-transformer what is in it.',
  );
