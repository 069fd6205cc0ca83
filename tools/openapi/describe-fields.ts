import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IS_OPTIONAL, ValidationTypes } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import type { Route } from '../../src/platform/http/routes.js';
import {
  declaredType,
  documentedFields,
  type DtoClass,
  dtosOf,
  fieldsWithRules,
  nestedType,
} from './dto-metadata.js';

type Properties = Readonly<Record<string, unknown>>;
interface Rule {
  readonly constraints: readonly unknown[];
}

/** The rules that class-validator-jsonschema does not know, or describes otherwise than they are. */
const additionalConverters = {
  isInt64: { type: 'integer' as const, format: 'int64' },
  isInstant: { type: 'string' as const, format: 'date-time' },
  // No control characters, in a syntax that every dialect of regular expressions supports.
  isText: { type: 'string' as const, pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*$` },
  isDateString: {
    type: 'string' as const,
    pattern: String.raw`^\d{4}-[01]\d-[0-3]\d(T[0-2]\d:[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-][0-2]\d:?[0-5]\d)?)?$`,
  },
  isEnum: ({ constraints }: Rule) => enumeration(constraints[0] as Properties),
  // Without a type, which would replace that of @IsInt.
  min: ({ constraints }: Rule) => ({ minimum: constraints[0] as number }),
  max: ({ constraints }: Rule) => ({ maximum: constraints[0] as number }),
  isPositive: { exclusiveMinimum: 0 },
  isNegative: { exclusiveMaximum: 0 },
};

/** An enumeration of numbers in TypeScript also has the names as values. */
function enumeration(words: Properties) {
  const isName = (value: unknown) => typeof words[String(value)] === 'number';
  const values = Object.values(words).filter((value) => !isName(value)) as (string | number)[];
  const type = values.every((value) => typeof value === 'number') ? ('number' as const) : ('string' as const);
  return { enum: values, type };
}

/** What a rule adds to a field whose `@ApiProperty` gives the type. */
const BOUNDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'enum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
];
/** Other formats of class-validator-jsonschema are in no standard. */
const FORMATS = ['email', 'uuid', 'hostname', 'ipv4', 'ipv6', 'int64', 'date-time'];

/**
 * Adds to the document what class-validator's rules say of each field and `@ApiProperty` does not: bounds, and everything for a
 * field without one.
 */
export function describeFields(routes: readonly Route[]): void {
  const described = new Set<DtoClass>();
  for (const { kind, dto } of routes.flatMap(dtosOf)) {
    describe(dto, described);
    if (kind === RouteParamtypes.BODY) describeNull(dto);
  }
}

function describe(dto: DtoClass, described: Set<DtoClass>): void {
  if (described.has(dto)) return;
  described.add(dto);
  const prototype = dto.prototype as object;
  const readOnly = fieldsWithRules(dto, 'isReadOnly');
  const nested = fieldsWithRules(dto, ValidationTypes.NESTED_VALIDATION);
  const documented = documentedFields(dto);
  const { properties = {}, required = [] } = targetConstructorToSchema(dto, { additionalConverters });
  for (const [field, rules] of Object.entries(properties)) {
    if (readOnly.has(field)) continue;
    const type = nested.has(field) ? nestedType(dto, field) : undefined;
    if (type) describe(type, described);
    const own = type
      ? { ...boundsOf(rules), type: () => type, isArray: declaredType(dto, field) === Array }
      : (rules as Properties);
    const given = documented.get(field);
    const whole = { required: required.includes(field), ...(given ? merged(given, own) : own) };
    if (!JSON.stringify(whole).includes('$ref')) ApiProperty(whole as ApiPropertyOptions)(prototype, field);
  }
}

/** An `@ApiProperty`, whose type is the class of the property if it names none, with what the rules add. */
function merged(given: Properties, rules: Properties): Properties {
  const { type, isArray } = given;
  const whole = { ...boundsOf(rules), ...given };
  if (type === Array) return { ...whole, ...pick(rules, ['type', 'isArray', 'items']) };
  if (isArray) return { ...pick(rules, ['items']), ...whole };
  return type === Number && rules['type'] === 'integer' ? { ...whole, type: 'integer' } : whole;
}

const boundsOf = (rules: object): Properties => ({
  ...pick(rules, BOUNDS),
  ...(FORMATS.includes((rules as Properties)['format'] as string) && pick(rules, ['format'])),
});

const pick = (from: object, names: readonly string[]): Properties =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

/** `@IsOptional()` accepts null, as its documentation says; in a query nobody can send it. */
function describeNull(dto: DtoClass): void {
  const optional = fieldsWithRules(dto, IS_OPTIONAL);
  for (const [field, given] of documentedFields(dto))
    if (optional.has(field) && given['nullable'] === undefined)
      ApiProperty({ ...given, nullable: true } as ApiPropertyOptions)(dto.prototype as object, field);
}
