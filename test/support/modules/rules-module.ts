import { Body, Controller, Module, Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  ArrayUnique,
  Contains,
  Equals,
  IsAlphanumeric,
  IsArray,
  IsBoolean,
  IsBooleanString,
  IsDate,
  IsDefined,
  IsDivisibleBy,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsIP,
  IsISO8601,
  IsNegative,
  IsNotEmpty,
  IsNotIn,
  IsNumber,
  IsNumberString,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinDate,
  MinLength,
  NotContains,
  registerDecorator,
  Validate,
  ValidateBy,
  ValidatorConstraint,
} from 'class-validator';

enum Level {
  Low = 1,
  High,
}
enum Mixed {
  None = 0,
  Some = 'some',
}

/** A rule as class-validator's documentation writes one. */
@ValidatorConstraint({ name: 'inThisCentury' })
class InThisCentury {
  validate = (value: unknown) => value instanceof Date && value.getUTCFullYear() < 2100;
}
const IsAny = () => ValidateBy({ name: 'isAny', validator: { validate: () => true } });
const IsEarly = (): PropertyDecorator => (target, propertyName) =>
  registerDecorator({
    name: 'isEarly',
    target: target.constructor,
    propertyName: propertyName as string,
    validator: { validate: (value: unknown) => value instanceof Date && value.getUTCFullYear() < 2100 },
  });

const TEXT = { type: 'string' };
const INTEGER = { type: 'integer' };
const listOf = (items: object) => ({ type: 'array', items });
const INSTANT = { type: 'string', format: 'date-time' };
const ON = '2026-11-20T10:00:00.000Z';
const asDate = Type(() => Date);

/** A field for each rule, and for what is written together: its declared type, its schema, an example, the rules. */
export const FIELDS: Readonly<
  Record<string, [type: Function, schema: object, example: unknown, ...rules: PropertyDecorator[]]>
> = {
  defined: [String, TEXT, 'x', IsDefined(), IsString()],
  definedInt: [Number, INTEGER, 1, IsDefined(), IsInt()],
  notEmptyText: [String, { ...TEXT, minLength: 1 }, 'x', IsNotEmpty(), IsString()],
  notEmptyInt: [Number, INTEGER, 1, IsNotEmpty(), IsInt()],
  intNotEmpty: [Number, INTEGER, 1, IsInt(), IsNotEmpty()],
  notEmptyNumber: [Number, { type: 'number' }, 1.5, IsNotEmpty(), IsNumber()],
  notEmptyBoolean: [Boolean, { type: 'boolean' }, true, IsBoolean(), IsNotEmpty()],
  notEmptyDate: [Date, { ...INSTANT, minLength: 1 }, ON, IsDate(), IsNotEmpty(), asDate],
  notEmptyList: [Array, listOf(TEXT), ['x'], IsString({ each: true }), IsNotEmpty()],
  notEmptyEnum: [Number, { type: 'number', enum: [1, 2] }, 1, IsNotEmpty(), IsEnum(Level)],
  min: [Number, { type: 'number', minimum: 2 }, 2, Min(2)],
  minInt: [Number, { type: 'integer', minimum: 2, maximum: 5 }, 2, Max(5), IsInt(), Min(2)],
  number: [Number, { type: 'number' }, 1.5, IsNumber()],
  positive: [Number, { type: 'number', exclusiveMinimum: 0 }, 1, IsPositive()],
  negativeInt: [Number, { type: 'integer', exclusiveMaximum: 0 }, -1, IsInt(), IsNegative()],
  divisible: [Number, { type: 'integer', multipleOf: 5 }, 10, IsInt(), IsDivisibleBy(5)],
  boolean: [Boolean, { type: 'boolean' }, true, IsBoolean()],
  booleanText: [String, { ...TEXT, enum: ['true', 'false'] }, 'true', IsBooleanString()],
  numberText: [String, { ...TEXT, pattern: String.raw`^[+-]?(\d*\.)?\d+$` }, '1.5', IsNumberString()],
  length: [String, { ...TEXT, minLength: 2, maxLength: 4 }, 'abc', Length(2, 4)],
  lengths: [String, { ...TEXT, minLength: 2, maxLength: 4 }, 'abc', MinLength(2), MaxLength(4)],
  matches: [String, { ...TEXT, pattern: '^a+$' }, 'aa', Matches(/^a+$/)],
  matchesAnyCase: [String, TEXT, 'aA', Matches(/^a+$/i)],
  contains: [String, { ...TEXT, pattern: String.raw`a\.b` }, 'a.b', Contains('a.b')],
  notContains: [String, { ...TEXT, not: { pattern: String.raw`\(` } }, 'a', NotContains('(')],
  alphanumeric: [String, { ...TEXT, pattern: '^[0-9a-zA-Z]+$' }, 'a1', IsAlphanumeric()],
  email: [String, { ...TEXT, format: 'email' }, 'a@shop.example', IsEmail()],
  uuid: [String, { ...TEXT, format: 'uuid' }, '7d444840-9dc0-41d1-b245-5ffdce74fad2', IsUUID()],
  url: [String, TEXT, 'https://shop.example', IsUrl()],
  ip: [String, TEXT, '::1', IsIP()],
  ip4: [String, { ...TEXT, format: 'ipv4' }, '127.0.0.1', IsIP('4')],
  day: [String, { oneOf: [{ ...TEXT, format: 'date' }, INSTANT] }, '2026-11-20', IsISO8601()],
  in: [Number, { type: 'number', enum: [1, 2] }, 1, IsIn([1, 2])],
  inInts: [Number, { type: 'integer', enum: [1, 2] }, 1, IsIn([1, 2]), IsInt()],
  inOrNull: [Number, { type: ['number', 'null'], enum: [1, 2, null] }, 1, IsIn([1, 2, null])],
  inMixed: [Object, { type: ['number', 'string'], enum: [1, 'a'] }, 'a', IsIn([1, 'a'])],
  inAll: [
    Object,
    { type: ['boolean', 'string', 'null'], enum: [true, 'a', null] },
    'a',
    IsIn([true, null, 'a']),
  ],
  inEach: [Array, listOf({ ...TEXT, enum: ['a', 'b'] }), ['a'], IsIn(['a', 'b'], { each: true })],
  notIn: [String, { ...TEXT, not: { ...TEXT, enum: ['a'] } }, 'b', IsNotIn(['a']), IsString()],
  equals: [String, { ...TEXT, enum: ['a'] }, 'a', Equals('a')],
  level: [Number, { type: 'number', enum: [1, 2] }, 2, IsEnum(Level)],
  levelOrNull: [Number, { type: ['number', 'null'], enum: [1, 2, null] }, 2, IsOptional(), IsEnum(Level)],
  mixed: [Object, { type: ['number', 'string'], enum: [0, 'some'] }, 'some', IsEnum(Mixed)],
  levels: [Array, listOf({ type: 'number', enum: [1, 2] }), [1], IsArray(), IsEnum(Level, { each: true })],
  ints: [Array, listOf(INTEGER), [1], IsArray(), IsInt({ each: true })],
  intsOnly: [Array, listOf(INTEGER), [1], IsInt({ each: true })],
  urls: [Array, listOf(TEXT), ['https://a.example'], IsUrl({}, { each: true })],
  sized: [
    Array,
    { ...listOf({ ...TEXT, maxLength: 3 }), minItems: 1, maxItems: 2 },
    ['x'],
    ArrayMinSize(1),
    ArrayMaxSize(2),
    MaxLength(3, { each: true }),
  ],
  someOf: [Array, { ...listOf({}), minItems: 1 }, [1], ArrayNotEmpty()],
  unique: [Array, { ...listOf(INTEGER), uniqueItems: true }, [1], ArrayUnique(), IsInt({ each: true })],
  object: [Object, { type: 'object' }, {}, IsObject()],
  date: [Date, INSTANT, ON, IsDate(), asDate],
  minDate: [Date, INSTANT, ON, MinDate(new Date(0)), asDate],
  laterThan: [Date, INSTANT, ON, MinDate(() => new Date(0)), asDate],
  validatedDate: [Date, INSTANT, ON, Validate(InThisCentury), asDate],
  registeredDate: [Date, INSTANT, ON, IsEarly(), asDate],
  registeredText: [String, TEXT, 'x', IsAny(), IsString()],
};

function fieldsOf(body: Function, isDocumented: boolean): void {
  for (const [field, [type, , example, ...rules]] of Object.entries(FIELDS)) {
    const prototype = body.prototype as object;
    Reflect.defineMetadata('design:type', type, prototype, field);
    for (const rule of rules) rule(prototype, field);
    if (isDocumented) ApiProperty({ example })(prototype, field);
  }
}

class RulesBody {}
fieldsOf(RulesBody, false);
/** Each field has an `@ApiProperty` that says nothing of its type. */
class NotedRulesBody {}
fieldsOf(NotedRulesBody, true);

@Controller('rules')
class RulesController {
  @Post()
  add(@Body() body: RulesBody) {
    return body;
  }

  @Post('noted')
  addNoted(@Body() body: NotedRulesBody) {
    return body;
  }
}

/** DTOs with every rule that the document describes. */
@Module({ controllers: [RulesController] })
export class RulesModule {}
