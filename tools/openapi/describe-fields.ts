import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiExtraModels, ApiProperty, type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import { IS_OPTIONAL, ValidationTypes } from 'class-validator';
import { validationMetadataArrayToSchemas } from 'class-validator-jsonschema';
import type { TypeOptions } from 'class-transformer';
import type { Route } from '../../src/platform/http/routes/routes.js';
import { styleInQuery } from '../../src/platform/http/validation/dto.decorators.js';
import { rulesOf } from '../../src/platform/http/validation/problems.js';
import {
  declaredType,
  documentedFields,
  type DtoClass,
  dtosOf,
  isDtoClass,
  transformerMetadata,
} from './dto-metadata.js';

type Properties = Readonly<Record<string, unknown>>;
interface Rule {
  readonly constraints: readonly unknown[];
}

const TEXT = { type: 'string' as const };
const INSTANT = { ...TEXT, format: 'date-time' };
const literally = (text: unknown) => String(text).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** The rules that class-validator-jsonschema does not know, or describes incorrectly. */
const additionalConverters = {
  isInt64: { type: 'integer' as const, format: 'int64' },
  isInteger: { type: 'integer' as const },
  isInstant: INSTANT,
  // A text without control characters, in a syntax that every dialect of regular expressions supports.
  isText: { ...TEXT, pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*$` },
  isDateString: {
    ...TEXT,
    pattern: String.raw`^\d{4}-[01]\d-[0-3]\d(T[0-2]\d:[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-][0-2]\d:?[0-5]\d)?)?$`,
  },
  isDate: INSTANT,
  minDate: INSTANT,
  maxDate: INSTANT,
  isIn: ({ constraints }: Rule) => ({ enum: constraints[0] as unknown[] }),
  // The second constraint contains the values without the names, which an enumeration of numbers also has in TypeScript.
  isEnum: ({ constraints }: Rule) => ({ enum: constraints[1] as unknown[] }),
  isIp: ({ constraints: [version] }: Rule) => ({ ...TEXT, ...(version ? { format: `ipv${version}` } : {}) }),
  isNumberString: { ...TEXT, pattern: String.raw`^[+-]?(\d*\.)?\d+$` },
  contains: ({ constraints }: Rule) => ({ ...TEXT, pattern: literally(constraints[0]) }),
  notContains: ({ constraints }: Rule) => ({ ...TEXT, not: { pattern: literally(constraints[0]) } }),
  // A schema cannot express flags that change the meaning of a pattern.
  matches: ({ constraints: [pattern, flags] }: Rule) => {
    const expression = new RegExp(pattern as RegExp, flags as string | undefined);
    return { ...TEXT, ...(/[ims]/.test(expression.flags) ? {} : { pattern: expression.source }) };
  },
  // These rules do not determine the type.
  isDefined: {},
  isNotEmpty: { minLength: 1 },
  [ValidationTypes.NESTED_VALIDATION]: {},
  [ValidationTypes.CUSTOM_VALIDATION]: {},
};

/** Other rules of numbers determine the same type. */
const INTEGERS = ['isInt', 'isInteger', 'isInt64'];

/** For each type that `@ApiProperty` gives, the bounds that rules add to the field. */
const BOUNDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['minItems', 'maxItems', 'uniqueItems'],
  object: ['minProperties', 'additionalProperties'],
};
const OF_ANY_TYPE = ['enum', 'not', 'format'];
/** The keywords that determine the type, if `@ApiProperty` does not. */
const KIND = ['type', 'isArray', 'items', 'oneOf', 'discriminator'];
/** Other formats of class-validator-jsonschema are not defined by a standard. */
const FORMATS = ['email', 'uuid', 'hostname', 'ipv4', 'ipv6', 'int64', 'date-time'];

/**
 * Adds to the document what the rules of class-validator and class-transformer determine for each field and `@ApiProperty` does
 * not: bounds, and everything for a field without `@ApiProperty`. @throws Error for a field that they do not describe
 */
export function describeFields(routes: readonly Route[]): void {
  const described = new Set<DtoClass>();
  for (const { kind, dto } of routes.flatMap(dtosOf)) describe(dto, kind === RouteParamtypes.BODY, described);
}

function describe(dto: DtoClass, isBody: boolean, described: Set<DtoClass>): void {
  if (described.has(dto)) return;
  described.add(dto);
  const rules = [...rulesOf(dto).values()].flat().map((rule) => ({
    ...rule,
    target: dto,
    type: (rule.type === ValidationTypes.CUSTOM_VALIDATION && rule.name) || rule.type,
  }));
  // The last rule determines the type.
  const inOrder = rules.toSorted(
    (one, other) => Number(INTEGERS.includes(one.type)) - Number(INTEGERS.includes(other.type)),
  );
  const schemas = validationMetadataArrayToSchemas(inOrder, { additionalConverters });
  const { properties = {}, required = [] } = schemas[dto.name] ?? {};
  const documented = documentedFields(dto);
  const initial = new dto() as Properties;
  for (const [field, schema] of Object.entries(properties)) {
    const has = (rule: string) =>
      rules.some(({ propertyName, name, type }) => propertyName === field && [name, type].includes(rule));
    if (has('isReadOnly')) continue;
    const given = documented.get(field);
    const rest = standard(schema as Properties);
    const derived = has(ValidationTypes.NESTED_VALIDATION)
      ? {
          ...pick(rest, Object.values(BOUNDS).flat()),
          ...nestedSchema(dto, field, given?.['type'], (type) => describe(type, isBody, described)),
        }
      : rest;
    const { options: exposed } = transformerMetadata.findExposeMetadata(dto, field) ?? {};
    const whole = {
      required: required.includes(field) && initial[field] === undefined,
      // `@IsOptional()` accepts null, as its documentation says. A query cannot contain null.
      ...(isBody && has(IS_OPTIONAL) && { nullable: true }),
      ...(exposed?.name !== undefined && !exposed.toPlainOnly && { name: exposed.name }),
      ...(!isBody && styleInQuery(dto, field)),
      ...(given ? merged(given, derived, declaredType(dto, field)) : alone(dto, field, derived)),
    };
    ApiProperty(whole as ApiPropertyOptions)(dto.prototype as object, field);
  }
}

/** The properties without formats that are not defined by a standard. */
function standard({ format, items, ...schema }: Properties): Properties {
  return {
    ...schema,
    ...(FORMATS.includes(format as string) && { format }),
    ...(items !== undefined && { items: standard(items as Properties) }),
  };
}

/**
 * The properties of `@ApiProperty`, with the properties of the rules added. If `@ApiProperty` has no type, the type is the class
 * of the property.
 */
function merged(given: Properties, rules: Properties, declared: unknown): Properties {
  if (['oneOf', 'anyOf', 'allOf', '$ref'].some((kind) => kind in given)) return given;
  const kind = 'format' in given ? KIND.filter((name) => name !== 'oneOf') : KIND;
  const whole = given['type'] === declared ? { ...given, ...pick(rules, kind) } : given;
  const items = given['isArray'] ? pick(rules, ['items']) : {};
  return { ...items, ...pick(rules, boundsFor(whole)), ...whole };
}

/** The properties that the rules, or else the class of the property, determine for a field without `@ApiProperty`. */
function alone(dto: DtoClass, field: string, rules: Properties): Properties {
  const declared = declaredType(dto, field);
  const isSaid = ['type', 'enum', 'oneOf'].some((kind) => kind in rules);
  if (!isSaid && [undefined, Object, Function, Symbol].includes(declared as never))
    throw new Error(
      `${dto.name}.${field} cannot be described, because neither its rules nor its declared type say what it is: write @ApiProperty({ type: ... }) on it.`,
    );
  const open = [Array, Set].includes(declared as never) ? { type: 'array', items: {} } : { type: 'object' };
  const isOpen = !isSaid && ([Array, Set, Map].includes(declared as never) || isDtoClass(declared));
  const kind = isOpen ? open : pick(rules, KIND);
  return { ...kind, ...pick(rules, boundsFor({ type: declared, ...kind })) };
}

function boundsFor({ type, isArray }: Properties): readonly string[] {
  const named = typeof type === 'function' ? type.name.toLowerCase() : String(type);
  const kind = isArray ? 'array' : named === 'integer' ? 'number' : named;
  return [...OF_ANY_TYPE, ...(BOUNDS[kind] ?? [])];
}

const pick = (from: object, names: readonly string[]): Properties =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

/** Whether rules validate the property of a discriminator. */
const isJudged = (base: DtoClass, property: string, { keepDiscriminatorProperty }: TypeOptions) =>
  keepDiscriminatorProperty === true && rulesOf(base).has(property);

/**
 * A nested object, or a list or a map of objects. class-transformer determines its form, or else `@ApiProperty`. @throws Error if
 * the type is not a class
 */
function nestedSchema(
  dto: DtoClass,
  field: string,
  given: unknown,
  describeClass: (type: DtoClass) => void,
): Properties {
  const declared = declaredType(dto, field);
  const { typeFunction, options } = transformerMetadata.findTypeMetadata(dto, field) ?? {};
  const isLazy = typeof given === 'function' && given.name === 'type';
  const base: unknown =
    typeFunction?.({ newObject: {}, object: {}, property: field }) ??
    (isLazy ? (given as () => unknown)() : given === declared ? undefined : given);
  if (!isDtoClass(base)) {
    if (base !== undefined) return {};
    throw new Error(
      `${dto.name}.${field} cannot be described, because @ValidateNested() without @Type(() => ...) checks nothing: add @Type, or write @ApiProperty({ type: () => ... }) on it.`,
    );
  }
  const isArray = declared === Array || declared === Set;
  const { discriminator } = options ?? {};
  if (!discriminator && declared !== Map) {
    describeClass(base);
    return { type: () => base, isArray };
  }
  const named = discriminator?.subTypes ?? [];
  if (discriminator && !isJudged(base, discriminator.property, options!))
    throw new Error(
      `${dto.name}.${field} cannot be described, because class-transformer takes unknown words of ${discriminator.property} for ${base.name}: add keepDiscriminatorProperty: true to @Type, and @IsIn([...]) to ${base.name}.${discriminator.property}.`,
    );
  const types = named.length > 0 ? named.map(({ value }) => value as DtoClass) : [base];
  types.forEach(describeClass);
  ApiExtraModels(...types)(dto);
  for (const { name, value } of named)
    ApiProperty({ enum: [name] })(value.prototype as object, discriminator!.property);
  const reference = (type: Function) => ({ $ref: getSchemaPath(type) });
  const item = discriminator
    ? {
        oneOf: types.map(reference),
        discriminator: {
          propertyName: discriminator.property,
          mapping: Object.fromEntries(named.map(({ name, value }) => [name, getSchemaPath(value)])),
        },
      }
    : reference(base);
  if (declared === Map) return { type: 'object', additionalProperties: item };
  return isArray ? { type: 'array', items: item } : { type: 'object', ...item };
}
