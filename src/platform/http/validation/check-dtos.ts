import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ValidationTypes } from 'class-validator';
import type { Handler } from '../handlers.js';
import { declaredType, isDtoClass } from './dto-fields.js';
import { isReadOnly } from './dto.decorators.js';
import { type DtoClass, fieldWithoutRules, hasRules, missingRules } from './problems.js';
import { fieldsWithRules } from './rules.js';
import { renamesOrDrops, typesNamed } from './transforms.js';

/** The parameters that `DtoValidationPipe` validates. */
const VALIDATED: readonly RouteParamtypes[] = [
  RouteParamtypes.BODY,
  RouteParamtypes.QUERY,
  RouteParamtypes.PARAM,
];

/** The classes of a handler's validated parameters. */
export const dtosOf = ({ parameters }: Handler): { kind: RouteParamtypes; dto: DtoClass }[] =>
  parameters.flatMap(({ kind, declaredType: dto }) =>
    VALIDATED.includes(kind) && isDtoClass(dto) ? [{ kind, dto }] : [],
  );

/** Checks the classes that handlers take, at the start. @throws Error for one that could not be validated as its author means it */
export function checkDtos(handlers: readonly Handler[]): void {
  const checked = new Set<DtoClass>();
  for (const handler of handlers)
    for (const { dto } of dtosOf(handler))
      check(dto, `${dto.name}, which ${handler.controller.name}.${handler.name} takes,`, checked);
}

/** `what` is the class, for the message of an error. */
function check(dto: DtoClass, what: string, checked: Set<DtoClass>): void {
  if (checked.has(dto)) return;
  checked.add(dto);
  if (!hasRules(dto)) throw missingRules(what);
  const bare = fieldWithoutRules(dto);
  if (bare !== undefined) throw missingRules(`${dto.name}.${bare}`);
  const ignored = renamesOrDrops(dto, fieldsWithRules(dto));
  const remedy = 'Give requests a class without it, for example by OmitType.';
  if (ignored !== undefined)
    throw new Error(`${dto.name} has ${ignored}, which is not applied to requests. ${remedy}`);
  for (const field of fieldsWithRules(dto, ValidationTypes.NESTED_VALIDATION)) {
    if (isReadOnly(dto.prototype as object, field)) continue;
    for (const type of nestedTypes(dto, field))
      check(type, `${type.name}, which is in ${dto.name}.${field},`, checked);
  }
}

/** The classes of a nested object, or of the items of an array. @throws Error if none is known */
export function nestedTypes(dto: DtoClass, field: string): DtoClass[] {
  const named = typesNamed(dto, field);
  const types = named.length > 0 ? named : [declaredType(dto, field)];
  if (!types.every(isDtoClass)) throw missingRules(`${dto.name}.${field}`);
  return types;
}
