import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiProperty, type ApiPropertyOptions, DECORATORS } from '@nestjs/swagger';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import type { Handler } from '../handlers.js';
import { isReadOnly } from '../validation/dto.decorators.js';
import { type DtoClass, hasRules, missingRules } from '../validation/problems.js';
import { isDtoClass } from '../validation/validate-dto.js';

type Documented = Readonly<Record<string, unknown>>;

/** The rules that class-validator-jsonschema does not know. */
const additionalConverters = {
  isInt64: { type: 'integer' as const, format: 'int64' },
  isInstant: { type: 'string' as const, format: 'date-time' },
  // No control characters, in a syntax that every dialect of regular expressions supports.
  isText: { type: 'string' as const, pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*$` },
};

/** What a rule adds to a field whose `@ApiProperty` gives the type. */
const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'];

/** The parameters that `DtoValidationPipe` validates. */
const VALIDATED: readonly RouteParamtypes[] = [
  RouteParamtypes.BODY,
  RouteParamtypes.QUERY,
  RouteParamtypes.PARAM,
];

/**
 * Adds to the document what class-validator's rules say of each field and `@ApiProperty` does not: bounds, and everything for a
 * field without one. @throws Error for a class whose fields have no rules
 */
export function describeFields(handlers: readonly Handler[]): void {
  const described = new Set<DtoClass>();
  for (const { controller, name, parameters } of handlers) {
    for (const { kind, declaredType: dto } of parameters) {
      if (!VALIDATED.includes(kind) || !isDtoClass(dto)) continue;
      if (!hasRules(dto)) throw missingRules(`${dto.name}, which ${controller.name}.${name} takes,`);
      describe(dto, described);
    }
  }
}

function describe(dto: DtoClass, described: Set<DtoClass>): void {
  if (described.has(dto)) return;
  described.add(dto);
  const prototype = dto.prototype as object;
  const { properties = {}, required = [] } = targetConstructorToSchema(dto, { additionalConverters });
  for (const [field, rules] of Object.entries(properties)) {
    if (isReadOnly(prototype, field)) continue;
    const documented = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype, field) as
      Documented | undefined;
    for (const type of [documented?.['type']].flat()) if (isDtoClass(type)) describe(type, described);
    const more = documented
      ? Object.fromEntries(Object.entries(rules).filter(([name]) => BOUNDS.includes(name)))
      : { ...rules, required: required.includes(field) };
    if (!JSON.stringify(more).includes('$ref'))
      ApiProperty({ ...more, ...documented } as ApiPropertyOptions)(prototype, field);
  }
}
