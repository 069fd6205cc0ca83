import { applyDecorators } from '@nestjs/common';
import { buildMessage, IsString, ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';
import { Int64 } from '../../../kernel/int64.js';

/** The rules that class-validator does not have. They stand beside its own on the fields of a DTO. */

/** An integer of any size; Infinity is what JavaScript makes of the largest. */
export const isInteger = (value: unknown) =>
  typeof value === 'bigint' || Number.isInteger(value) || value === Infinity || value === -Infinity;

const isInt64 = (value: unknown) =>
  typeof value === 'bigint' ? Int64.holds(value) : Number.isSafeInteger(value);

/** A 64-bit integer: number or bigint, whichever is exact. `@IsInt` knows no bigint. */
export const IsInt64 = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isInt64',
      validator: {
        validate: isInt64,
        defaultMessage: buildMessage(
          (each, given) =>
            isInteger(given?.value)
              ? `${each}$property must be from -9223372036854775808 to 9223372036854775807`
              : `${each}$property must be an integer`,
          options,
        ),
      },
    },
    options,
  );

/** The field may be absent, but not null. `@IsOptional` lets both pass. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

const READ_ONLY = Symbol('read-only');

/** The service decides this field; a request that brings it is refused, even with null. */
export const ReadOnly = (): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'isReadOnly',
      validator: {
        validate: (value) => value === undefined,
        defaultMessage: () => '$property is assigned by the service; leave it out',
      },
    }),
    (target: object, field: string | symbol) => Reflect.defineMetadata(READ_ONLY, true, target, field),
  );

export const isReadOnly = (prototype: object, field: string): boolean =>
  Reflect.getMetadata(READ_ONLY, prototype, field) === true;

const OPAQUE = Symbol('opaque');

/** A text that only its reader understands, such as a cursor; any will do here. The field has no other rule. */
export const IsOpaque = (): PropertyDecorator =>
  applyDecorators(IsString(), (target: object, field: string | symbol) =>
    Reflect.defineMetadata(OPAQUE, true, target, field),
  );

export const isOpaque = (prototype: object, field: string): boolean =>
  Reflect.getMetadata(OPAQUE, prototype, field) === true;

const PURE = Symbol('pure');

/**
 * Says of a DTO that its rules wait for nothing and depend on nothing but the value: then they are asked without a promise,
 * and a short query that they have accepted is not judged again. Hot paths carry it (docs/decisions/0071-class-validator.md).
 */
export const PureRules = (): ClassDecorator => (dto) => Reflect.defineMetadata(PURE, true, dto);

/** A class that extends another one may add rules of another kind, so it has to say so itself. */
export const hasPureRules = (dto: object): boolean => Reflect.hasOwnMetadata(PURE, dto);
