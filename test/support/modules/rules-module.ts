import { Body, Controller, Module, Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import * as rule from 'class-validator';

enum Level {
  Low = 1,
  High,
}
enum Mixed {
  None = 0,
  Some = 'some',
}

/** A rule as class-validator's documentation writes one. */
@rule.ValidatorConstraint({ name: 'inThisCentury' })
class InThisCentury {
  validate = (value: unknown) => value instanceof Date && value.getUTCFullYear() < 2100;
}
const IsAny = () => rule.ValidateBy({ name: 'isAny', validator: { validate: () => true } });
const IsEarly = (): PropertyDecorator => (target, propertyName) =>
  rule.registerDecorator({
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

/** A field for each rule, and for rules that are used together: the declared type, the schema, an example, the rules. */
export const FIELDS: Readonly<
  Record<string, [type: Function, schema: object, example: unknown, ...rules: PropertyDecorator[]]>
> = {
  defined: [String, TEXT, 'x', rule.IsDefined(), rule.IsString()],
  definedInt: [Number, INTEGER, 1, rule.IsDefined(), rule.IsInt()],
  notEmptyText: [String, { ...TEXT, minLength: 1 }, 'x', rule.IsNotEmpty(), rule.IsString()],
  notEmptyInt: [Number, INTEGER, 1, rule.IsNotEmpty(), rule.IsInt()],
  intNotEmpty: [Number, INTEGER, 1, rule.IsInt(), rule.IsNotEmpty()],
  notEmptyNumber: [Number, { type: 'number' }, 1.5, rule.IsNotEmpty(), rule.IsNumber()],
  notEmptyBoolean: [Boolean, { type: 'boolean' }, true, rule.IsBoolean(), rule.IsNotEmpty()],
  notEmptyDate: [Date, { ...INSTANT, minLength: 1 }, ON, rule.IsDate(), rule.IsNotEmpty(), asDate],
  notEmptyList: [Array, listOf(TEXT), ['x'], rule.IsString({ each: true }), rule.IsNotEmpty()],
  notEmptyEnum: [Number, { type: 'number', enum: [1, 2] }, 1, rule.IsNotEmpty(), rule.IsEnum(Level)],
  min: [Number, { type: 'number', minimum: 2 }, 2, rule.Min(2)],
  minInt: [Number, { type: 'integer', minimum: 2, maximum: 5 }, 2, rule.Max(5), rule.IsInt(), rule.Min(2)],
  number: [Number, { type: 'number' }, 1.5, rule.IsNumber()],
  positive: [Number, { type: 'number', exclusiveMinimum: 0 }, 1, rule.IsPositive()],
  negativeInt: [Number, { type: 'integer', exclusiveMaximum: 0 }, -1, rule.IsInt(), rule.IsNegative()],
  divisible: [Number, { type: 'integer', multipleOf: 5 }, 10, rule.IsInt(), rule.IsDivisibleBy(5)],
  boolean: [Boolean, { type: 'boolean' }, true, rule.IsBoolean()],
  booleanText: [String, { ...TEXT, enum: ['true', 'false'] }, 'true', rule.IsBooleanString()],
  numberText: [String, { ...TEXT, pattern: String.raw`^[+-]?(\d*\.)?\d+$` }, '1.5', rule.IsNumberString()],
  length: [String, { ...TEXT, minLength: 2, maxLength: 4 }, 'abc', rule.Length(2, 4)],
  lengths: [String, { ...TEXT, minLength: 2, maxLength: 4 }, 'abc', rule.MinLength(2), rule.MaxLength(4)],
  matches: [String, { ...TEXT, pattern: '^a+$' }, 'aa', rule.Matches(/^a+$/)],
  matchesAnyCase: [String, TEXT, 'aA', rule.Matches(/^a+$/i)],
  contains: [String, { ...TEXT, pattern: String.raw`a\.b` }, 'a.b', rule.Contains('a.b')],
  notContains: [String, { ...TEXT, not: { pattern: String.raw`\(` } }, 'a', rule.NotContains('(')],
  alphanumeric: [String, { ...TEXT, pattern: '^[0-9a-zA-Z]+$' }, 'a1', rule.IsAlphanumeric()],
  email: [String, { ...TEXT, format: 'email' }, 'a@shop.example', rule.IsEmail()],
  uuid: [String, { ...TEXT, format: 'uuid' }, '7d444840-9dc0-41d1-b245-5ffdce74fad2', rule.IsUUID()],
  url: [String, TEXT, 'https://shop.example', rule.IsUrl()],
  ip: [String, TEXT, '::1', rule.IsIP()],
  ip4: [String, { ...TEXT, format: 'ipv4' }, '127.0.0.1', rule.IsIP('4')],
  day: [String, { oneOf: [{ ...TEXT, format: 'date' }, INSTANT] }, '2026-11-20', rule.IsISO8601()],
  in: [Number, { type: 'number', enum: [1, 2] }, 1, rule.IsIn([1, 2])],
  inInts: [Number, { type: 'integer', enum: [1, 2] }, 1, rule.IsIn([1, 2]), rule.IsInt()],
  inOrNull: [Number, { type: ['number', 'null'], enum: [1, 2, null] }, 1, rule.IsIn([1, 2, null])],
  inMixed: [Object, { type: ['number', 'string'], enum: [1, 'a'] }, 'a', rule.IsIn([1, 'a'])],
  inAll: [
    Object,
    { type: ['boolean', 'string', 'null'], enum: [true, 'a', null] },
    'a',
    rule.IsIn([true, null, 'a']),
  ],
  inEach: [Array, listOf({ ...TEXT, enum: ['a', 'b'] }), ['a'], rule.IsIn(['a', 'b'], { each: true })],
  notIn: [String, { ...TEXT, not: { ...TEXT, enum: ['a'] } }, 'b', rule.IsNotIn(['a']), rule.IsString()],
  equals: [String, { ...TEXT, enum: ['a'] }, 'a', rule.Equals('a')],
  level: [Number, { type: 'number', enum: [1, 2] }, 2, rule.IsEnum(Level)],
  levelOrNull: [
    Number,
    { type: ['number', 'null'], enum: [1, 2, null] },
    2,
    rule.IsOptional(),
    rule.IsEnum(Level),
  ],
  mixed: [Object, { type: ['number', 'string'], enum: [0, 'some'] }, 'some', rule.IsEnum(Mixed)],
  levels: [
    Array,
    listOf({ type: 'number', enum: [1, 2] }),
    [1],
    rule.IsArray(),
    rule.IsEnum(Level, { each: true }),
  ],
  ints: [Array, listOf(INTEGER), [1], rule.IsArray(), rule.IsInt({ each: true })],
  intsOnly: [Array, listOf(INTEGER), [1], rule.IsInt({ each: true })],
  urls: [Array, listOf(TEXT), ['https://a.example'], rule.IsUrl({}, { each: true })],
  sized: [
    Array,
    { ...listOf({ ...TEXT, maxLength: 3 }), minItems: 1, maxItems: 2 },
    ['x'],
    rule.ArrayMinSize(1),
    rule.ArrayMaxSize(2),
    rule.MaxLength(3, { each: true }),
  ],
  someOf: [Array, { ...listOf({}), minItems: 1 }, [1], rule.ArrayNotEmpty()],
  unique: [
    Array,
    { ...listOf(INTEGER), uniqueItems: true },
    [1],
    rule.ArrayUnique(),
    rule.IsInt({ each: true }),
  ],
  object: [Object, { type: 'object' }, {}, rule.IsObject()],
  date: [Date, INSTANT, ON, rule.IsDate(), asDate],
  minDate: [Date, INSTANT, ON, rule.MinDate(new Date(0)), asDate],
  laterThan: [Date, INSTANT, ON, rule.MinDate(() => new Date(0)), asDate],
  validatedDate: [Date, INSTANT, ON, rule.Validate(InThisCentury), asDate],
  registeredDate: [Date, INSTANT, ON, IsEarly(), asDate],
  registeredText: [String, TEXT, 'x', IsAny(), rule.IsString()],
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
/** Each field has an `@ApiProperty` without a type. */
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
