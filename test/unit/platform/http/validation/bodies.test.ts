import type { Type as Class } from '@nestjs/common';
import { PartialType } from '@nestjs/swagger';
import { Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  IsArray,
  IsDefined,
  IsDivisibleBy,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsISO8601,
  IsNegative,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  IsUUID,
  Equals,
  Matches,
  Max,
  MaxDate,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';
import {
  ApiException,
  DtoValidationPipe,
  Int64Field,
  MayBeAbsent,
  ReadOnly,
} from '../../../../../src/platform/http/index.js';
import { parseJson } from '../../../../../src/platform/json/parse-json.js';
import { IsInt64 } from '../../../../support/rooms/http.js';

/** What the pipe makes of a body, which is JSON text. */
const made = async <Dto extends object>(dto: Class<Dto>, text: string): Promise<Dto> =>
  // The pipe is created in the test, because mutants only take effect there.
  (await new DtoValidationPipe().transform(parseJson(Buffer.from(text)), {
    type: 'body',
    metatype: dto,
  })) as Dto;

/** The error of an invalid body; undefined for a valid body. */
const errorOf = (dto: Class<object>, text: string) =>
  made(dto, text).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ApiException) return error.answer;
      throw error;
    },
  );

/** The problems of a body, each as in the response: pointer, code and message. */
const problemsOf = async (dto: Class<object>, text: string) =>
  (await errorOf(dto, text))?.details!.map(({ field, code, message }) => `${field} ${code}: ${message}`) ??
  [];

/** How bodies are judged: the class, the body, and each of its problems. */
type Row = [what: string, dto: Class<object>, body: string, ...problems: string[]];

const judges = (rows: Row[]) =>
  it.each<Row>(rows)('%s (%o): %s', async (_, dto, body, ...problems) => {
    expect(await problemsOf(dto, body)).toEqual(problems);
  });

/** A class whose only field has these rules. */
function fieldWith(...rules: PropertyDecorator[]): Class<object> {
  class Form {}
  for (const rule of rules) rule(Form.prototype, 'field');
  return Form;
}

class Delivery {
  @IsString()
  address!: string;

  @Int64Field({ description: 'How many.', example: 1 })
  amount!: bigint;

  @ReadOnly()
  number?: never;
}

class Express extends Delivery {
  @MayBeAbsent()
  @IsIn(['morning', 'evening'])
  daytime?: string;
}

class DeliveryChange extends PartialType(Delivery) {}

class Ring {
  @MayBeAbsent()
  @IsString()
  size?: string;
}

class Nothing {}

class Seen {
  @IsString({ groups: ['desk'] })
  note!: string;

  /** A field without a rule, which only the code of the module sets. */
  at?: Date;
}

const IsFree = () =>
  ValidateBy({
    name: 'isFree',
    validator: {
      validate: (name) => Promise.resolve(name !== 'Rex'),
      defaultMessage: () => '$property is taken.',
    },
  });

class Name {
  @IsFree()
  name!: string;
}

describe('the fields of a body', () => {
  const good = '"address":"Main Street 1","amount":3';
  const UNKNOWN = 'unknown_field: is not known;';
  judges([
    ['valid', Delivery, `{${good}}`],
    [
      'all problems at once, and one problem for each field',
      Delivery,
      '{"address":null,"number":5,"colour":"red"}',
      `/colour ${UNKNOWN} known are address, amount`,
      '/address invalid_type: must be a string',
      '/amount required: is required',
      '/number read_only_field: is assigned by the service; leave it out',
    ],
    [
      'rules of the base class',
      Express,
      '{"daytime":"noon"}',
      '/daytime invalid_enum_value: must be one of the following values: morning, evening',
      '/address required: is required',
      '/amount required: is required',
    ],
    [
      'a field that only a derived class has',
      Delivery,
      `{${good},"daytime":"morning"}`,
      `/daytime ${UNKNOWN} known are address, amount`,
    ],
    [
      'fields of the base class are known',
      Express,
      `{${good},"x":1}`,
      `/x ${UNKNOWN} known are address, amount, daytime`,
    ],
    [
      "rules that Nest's mapped types copy",
      DeliveryChange,
      '{"address":7,"colour":1}',
      `/colour ${UNKNOWN} known are address, amount`,
      '/address invalid_type: must be a string',
    ],
    ['absent optional fields', DeliveryChange, '{}'],
    ['a field without a rule', Seen, '{"note":"x","at":1}', `/at ${UNKNOWN} known are note`],
    ['an absent field without a rule', Seen, '{"note":"x"}'],
    [
      'rules of a group, because all groups apply',
      Seen,
      '{"note":7}',
      '/note invalid_type: must be a string',
    ],
    ['an asynchronous rule of a module', Name, '{"name":"Rex"}', '/name invalid_value: is taken'],
    ['an asynchronous rule that holds', Name, '{"name":"Max"}'],
    // The message names the field that was probably meant, or all fields.
    ...[
      [Delivery, 'adress', 'did you mean address'],
      [Delivery, 'Address', 'did you mean address'],
      [Delivery, 'amuont', 'did you mean amount'],
      [Delivery, 'amounts', 'did you mean amount'],
      [Delivery, 'colour', 'known are address, amount'],
      [Delivery, '', 'known are address, amount'],
      [Delivery, 'a', 'known are address, amount'],
      // The service assigns `number`, so a message does not suggest it.
      [Delivery, 'numbers', 'known are address, amount'],
      [DeliveryChange, 'numbers', 'known are address, amount'],
    ].map(([dto, field, hint]): Row => [
      'an unknown field',
      dto as Class<object>,
      `{${good},"${field as string}":1}`,
      `/${field as string} ${UNKNOWN} ${hint as string}`,
    ]),
    [
      'an unknown field with a long name',
      Delivery,
      `{${good},"${'x'.repeat(100)}":1}`,
      `/${'x'.repeat(64)}… ${UNKNOWN} known are address, amount`,
    ],
    [
      'an unknown field with a name of 64 characters',
      Delivery,
      `{${good},"${'x'.repeat(64)}":1}`,
      `/${'x'.repeat(64)} ${UNKNOWN} known are address, amount`,
    ],
    // A suggestion must be closer to a short name than to a long name.
    ['an unknown field', Ring, '{"sice":1}', `/sice ${UNKNOWN} did you mean size`],
    ['an unknown field', Ring, '{"nice":1}', `/nice ${UNKNOWN} known are size`],
    ['an unknown field of a class without fields', Nothing, '{"name":1}', `/name ${UNKNOWN} none is`],
  ]);
});

const IsMicrochip = () =>
  ValidateBy({
    name: 'isMicrochip',
    validator: { validate: () => false, defaultMessage: () => '$property is no microchip' },
  });
const IsAOrB = () => IsIn(['a', 'b'], { message: '$property must be a or b' });
const TEXTS = IsString({ each: true });

describe('a value', () => {
  judges([
    ['absent', fieldWith(IsString(), IsMicrochip()), '{}', '/field required: is required'],
    ['absent, with a rule for its format', fieldWith(IsEmail()), '{}', '/field required: is required'],
    [
      'absent, with rules of a module alone',
      fieldWith(IsMicrochip()),
      '{}',
      '/field invalid_value: is no microchip',
    ],
    [
      'that breaks a rule of a module',
      fieldWith(IsMicrochip()),
      '{"field":"x"}',
      '/field invalid_value: is no microchip',
    ],
    ['null', fieldWith(IsDefined()), '{"field":null}', '/field required: should not be null or undefined'],
    ['no text', fieldWith(IsString()), '{"field":7}', '/field invalid_type: must be a string'],
    ['no integer', fieldWith(IsInt()), '{"field":7.5}', '/field invalid_type: must be an integer number'],
    ['no list', fieldWith(IsArray(), TEXTS), '{"field":7}', '/field invalid_type: must be an array'],
    [
      'no list, by the second rule',
      fieldWith(TEXTS, IsArray()),
      '{"field":7}',
      '/field invalid_type: must be an array',
    ],
    [
      'with an item that is no text',
      fieldWith(IsArray(), TEXTS),
      '{"field":["x",7]}',
      '/field invalid_type: each value must be a string',
    ],
    ['too small', fieldWith(Min(3)), '{"field":2}', '/field out_of_range: must not be less than 3'],
    [
      'too late',
      fieldWith(
        MaxDate(new Date(0), { message: '$property must be in the past' }),
        Type(() => Date),
      ),
      '{"field":"2026-11-20"}',
      '/field out_of_range: must be in the past',
    ],
    [
      '0, which is not negative',
      fieldWith(IsNegative()),
      '{"field":0}',
      '/field out_of_range: must be a negative number',
    ],
    [
      '0, which is not positive',
      fieldWith(IsPositive()),
      '{"field":0}',
      '/field out_of_range: must be a positive number',
    ],
    [
      'too short',
      fieldWith(MinLength(2)),
      '{"field":"x"}',
      '/field too_short: must be longer than or equal to 2 characters',
    ],
    [
      'too long',
      fieldWith(MaxLength(2)),
      '{"field":"xxx"}',
      '/field too_long: must be shorter than or equal to 2 characters',
    ],
    [
      'with too many items',
      fieldWith(ArrayMaxSize(1)),
      '{"field":[1,2]}',
      '/field too_long: must contain no more than 1 elements',
    ],
    [
      'not one of the words',
      fieldWith(IsAOrB()),
      '{"field":"c"}',
      '/field invalid_enum_value: must be a or b',
    ],
    [
      'not one of an enum',
      fieldWith(IsEnum({ A: 'a' })),
      '{"field":"c"}',
      '/field invalid_enum_value: must be one of the following values: a',
    ],
    ['empty', fieldWith(IsNotEmpty()), '{"field":""}', '/field blank: should not be empty'],
    [
      'not an instant',
      fieldWith(IsISO8601()),
      '{"field":"x"}',
      '/field invalid_format: must be a valid ISO 8601 date string',
    ],
    ['not an address', fieldWith(IsEmail()), '{"field":"x"}', '/field invalid_format: must be an email'],
    [
      'not of a pattern',
      fieldWith(Matches(/y/)),
      '{"field":"x"}',
      '/field invalid_format: must match /y/ regular expression',
    ],
    ['not a UUID', fieldWith(IsUUID()), '{"field":"x"}', '/field invalid_format: must be a UUID'],
    ['another value', fieldWith(Equals('y')), '{"field":"x"}', '/field invalid_value: must be equal to y'],
    [
      'an empty list instead of a word',
      fieldWith(IsAOrB()),
      '{"field":[]}',
      '/field invalid_enum_value: must be a or b',
    ],
    [
      'an empty list instead of a number',
      fieldWith(Max(9)),
      '{"field":[]}',
      '/field out_of_range: must not be greater than 9',
    ],
    [
      'a list of a number',
      fieldWith(Max(9)),
      '{"field":[3]}',
      '/field out_of_range: must not be greater than 9',
    ],
    [
      'with a message that loses only its last full stop',
      fieldWith(MaxLength(2, { message: '$property must weigh 1.5 kg at most.' })),
      '{"field":"xxx"}',
      '/field too_long: must weigh 1.5 kg at most',
    ],
    [
      'with a message of the module',
      fieldWith(MaxLength(2, { message: 'Too long!' })),
      '{"field":"xxx"}',
      '/field too_long: Too long!',
    ],
  ]);
});

class Size {
  @IsInt()
  width!: number;
}

class Bed {
  @IsObject()
  @ValidateNested()
  @Type(() => Size)
  size!: Size;

  @MayBeAbsent()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Size)
  parts?: Size[];

  /** TypeScript does not record a type for this union. */
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Size)
  gaps?: Size | Size[] | null;
}

abstract class Pillow {
  @IsIn(['round', 'square'])
  kind!: string;
}
class Round extends Pillow {}
class Square extends Pillow {}

const subTypes = [
  { name: 'round', value: Round },
  { name: 'square', value: Square },
];

class Sofa {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Pillow, { discriminator: { property: 'kind', subTypes }, keepDiscriminatorProperty: true })
  pillows!: Pillow[];

  @IsOptional()
  @Transform(({ value }: { value: string }) => value.trim())
  @IsString()
  name?: string;

  @IsOptional()
  @Transform(({ value }: { value: unknown[] }) => value.map((item) => (item as object).toString()))
  @IsString({ each: true })
  tags?: string[];

  @IsOptional()
  @IsArray()
  facts?: unknown[];
}

describe('a nested object', () => {
  const size = '"size":{"width":2}';
  const AN_OBJECT = 'invalid_type: must be an object';
  class Cart {
    @ArrayMaxSize(1)
    @IsObject({ each: true })
    @ValidateNested({ each: true })
    @Type(() => Size)
    sizes!: Size[];
  }
  judges([
    ['valid', Bed, `{${size}}`],
    [
      'with a problem in a list that is too long',
      Cart,
      '{"sizes":[{"width":2},{"width":"x"}]}',
      '/sizes too_long: must contain no more than 1 elements',
      '/sizes/1/width invalid_type: must be an integer number',
    ],
    [
      'with a problem in a list with a rule for each item',
      Cart,
      '{"sizes":[7]}',
      '/sizes invalid_type: each value must be an object',
      `/sizes/0 ${AN_OBJECT}`,
    ],
    ['an empty list', Bed, `{${size},"parts":[]}`],
    ['in a list', Bed, `{${size},"parts":[{"width":2}]}`],
    ['null, which is allowed', Bed, `{${size},"gaps":null}`],
    ['one or several: one', Bed, `{${size},"gaps":{"width":2}}`],
    ['one or several: a list', Bed, `{${size},"gaps":[{"width":2}]}`],
    ['absent', Bed, '{}', '/size required: is required'],
    ['null', Bed, '{"size":null}', `/size ${AN_OBJECT}`],
    ['an empty list instead', Bed, '{"size":[]}', `/size ${AN_OBJECT}`],
    ['a list of it instead', Bed, '{"size":[{"width":2}]}', `/size ${AN_OBJECT}`],
    ['a list with a problem instead', Bed, '{"size":[{"width":"x"}]}', `/size ${AN_OBJECT}`],
    ['a text instead', Bed, '{"size":"large"}', `/size ${AN_OBJECT}`],
    ['without its field', Bed, '{"size":{}}', '/size/width required: is required'],
    [
      'an object instead of a list',
      Bed,
      `{${size},"parts":{"width":2}}`,
      '/parts invalid_type: must be an array',
    ],
    [
      'an object with a problem instead of a list',
      Bed,
      `{${size},"parts":{"width":"x"}}`,
      '/parts invalid_type: must be an array',
    ],
    [
      'without its field in a list',
      Bed,
      `{${size},"parts":[{"width":2},{}]}`,
      '/parts/1/width required: is required',
    ],
    ['a text in a list', Bed, `{${size},"parts":[{"width":2},"x"]}`, `/parts/1 ${AN_OBJECT}`],
    ['null in a list', Bed, `{${size},"parts":[{"width":2},null]}`, `/parts/1 ${AN_OBJECT}`],
    [
      'with a problem in a list, where it may also be alone',
      Bed,
      `{${size},"gaps":[{"width":"x"}]}`,
      '/gaps/0/width invalid_type: must be an integer number',
    ],
    [
      'hides no problem of other fields, and no other problem of its own',
      Bed,
      '{"size":{"width":"x","widths":2},"parts":{},"gaps":[{"width":null}]}',
      '/size/widths unknown_field: is not known; did you mean width',
      '/size/width invalid_type: must be an integer number',
      '/parts invalid_type: must be an array',
      '/gaps/0/width invalid_type: must be an integer number',
    ],
    [
      'null beside a text that a transform reads',
      Sofa,
      '{"pillows":[null],"name":" Rex "}',
      `/pillows/0 ${AN_OBJECT}`,
    ],
    ['null beside a field that is null', Sofa, '{"pillows":[null],"facts":null}', `/pillows/0 ${AN_OBJECT}`],
    [
      'null, where another property decides the class',
      Sofa,
      '{"pillows":[{"kind":"round"},null,{"kind":"square"},null],"facts":[null]}',
      `/pillows/1 ${AN_OBJECT}`,
      `/pillows/3 ${AN_OBJECT}`,
    ],
  ]);
});

/** A class of another package. */
class Money {
  constructor(readonly cents: unknown) {}
}

class Part64 {
  @IsInt64()
  width!: bigint;
}

class Shelf {
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Size)
  parts?: Size[];

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Size)
  named?: Map<string, Size>;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Part64)
  counted?: Map<string, Part64>;

  @IsOptional()
  @IsInt({ each: true })
  rows?: number[];

  @Int64Field({ description: 'Whose.', example: 1, optional: true })
  owner?: bigint;

  @IsOptional()
  @IsDefined()
  @Expose({ name: 'made_of' })
  wood?: unknown;

  @IsOptional()
  @IsObject()
  facts?: object;

  @IsOptional()
  @Transform(({ value }) => new Money(value))
  @IsDefined()
  price?: Money;
}

class Computed {
  @MayBeAbsent()
  @IsString()
  name?: string;

  get total(): never {
    throw new Error('not computed yet');
  }
}

class Note {
  @Allow()
  facts!: unknown;

  @IsOptional()
  @IsString()
  text?: string;
}

describe('an integer that a number cannot hold', () => {
  const LARGE = String(2n ** 60n);
  const SMALL = String(-(2n ** 60n));
  const RANGE = 'out_of_range: must be from -9007199254740991 to 9007199254740991';
  const SOME = IsInt64({ min: 1, max: 2n ** 61n, each: true });
  const ofField = (value: string) => `{"field":${value}}`;
  judges([
    ['an integer', fieldWith(IsInt()), ofField(LARGE), `/field ${RANGE}`],
    ['a number in bounds', fieldWith(IsNumber(), Min(0), Max(9)), ofField(SMALL), `/field ${RANGE}`],
    ['a positive number', fieldWith(IsPositive()), ofField(LARGE), `/field ${RANGE}`],
    ['a multiple', fieldWith(IsDivisibleBy(4)), ofField(LARGE), `/field ${RANGE}`],
    ['anything', fieldWith(Allow()), ofField(LARGE), `/field ${RANGE}`],
    [
      'among integers',
      fieldWith(IsInt({ each: true }), Min(3, { each: true })),
      ofField(`[7,${LARGE}]`),
      `/field/1 ${RANGE}`,
    ],
    ['among several things', fieldWith(Allow()), ofField(`[7,${LARGE}]`), `/field/1 ${RANGE}`],
    ['in place of a text', fieldWith(IsString()), ofField(LARGE), '/field invalid_type: must be a string'],
    ['in place of a word', fieldWith(IsAOrB()), ofField(LARGE), '/field invalid_enum_value: must be a or b'],
    ['where it may be', fieldWith(SOME), ofField(`[${LARGE},1]`)],
    [
      'with a number below the bound',
      fieldWith(SOME),
      ofField(`[${LARGE},0]`),
      '/field out_of_range: each value must be from 1 to 2305843009213693952',
    ],
    [
      'with a text',
      fieldWith(SOME),
      ofField(`[${LARGE},"1"]`),
      '/field invalid_type: each value must be an integer',
    ],
    [
      'at any depth of a value without rules of its own',
      Note,
      `{"facts":{"seen":[{"times":${LARGE}},${SMALL}]}}`,
      `/facts/seen/0/times ${RANGE}`,
      `/facts/seen/1 ${RANGE}`,
    ],
    ['in a list', Shelf, `{"rows":[1,${LARGE}]}`, `/rows/1 ${RANGE}`],
    [
      'beside another problem',
      Shelf,
      `{"facts":{"seen":[${LARGE}]},"rows":["x"]}`,
      `/facts/seen/0 ${RANGE}`,
      '/rows invalid_type: each value must be an integer number',
    ],
    [
      'in a list with another problem',
      Shelf,
      `{"rows":[${LARGE},"x"]}`,
      '/rows invalid_type: each value must be an integer number',
    ],
    [
      'in an object of a list',
      Shelf,
      `{"parts":[{"width":1},{"width":${LARGE}}]}`,
      `/parts/1/width ${RANGE}`,
    ],
    ['in an object of a map', Shelf, `{"named":{"east":{"width":${LARGE}}}}`, `/named/east/width ${RANGE}`],
    ['in an object of a map, in a field for 64 bits', Shelf, `{"counted":{"east":{"width":${LARGE}}}}`],
    ['in a field with another name', Shelf, `{"made_of":${LARGE}}`, `/wood ${RANGE}`],
    ['in a field for 64 bits', Shelf, `{"owner":${LARGE}}`],
    [
      'below a name with a slash, beside one beyond 64 bits',
      Shelf,
      `{"owner":${2n ** 64n},"facts":{"a/b":[${LARGE},${LARGE}]}}`,
      `/facts/a~1b/0 ${RANGE}`,
      `/facts/a~1b/1 ${RANGE}`,
      '/owner out_of_range: must be from -9223372036854775808 to 9223372036854775807',
    ],
    [
      'in an unknown field',
      Shelf,
      `{"strange":[${LARGE}]}`,
      '/strange unknown_field: is not known; known are counted, facts, named, owner, parts, price, rows, wood',
    ],
    ['in a body without a class', Object, `{"a":[{"n":${LARGE}}]}`, `/a/0/n ${RANGE}`],
    ['in a list instead of a body', Shelf, `[${LARGE}]`, ' invalid_type: The body must be a JSON object'],
    ...[null, undefined, Object.create(null) as object].map((nothing): Row => [
      `where a transform makes ${typeof nothing} of it`,
      fieldWith(
        Allow(),
        Transform(() => nothing),
      ),
      ofField(`{"seen":[${LARGE}]}`),
      `/field/seen/0 ${RANGE}`,
    ]),
    ['in the name of a getter, which is not called', Computed, `{"total":${LARGE}}`, `/total ${RANGE}`],
  ]);

  it('is counted for each of many, and hides no other problem', async () => {
    const facts = Array.from({ length: 5_000 }, () => LARGE).join();
    const error = await errorOf(Note, `{"facts":[${facts}],"text":7}`);
    expect(error?.message).toMatch(/; and 4951 more\.$/);
  });
});

/** A class with class-validator's own rules only. */
class Part {
  @IsOptional()
  @IsString()
  name?: string | null;

  @IsOptional()
  @IsInt()
  rows?: number;
}

class Change {
  @IsOptional()
  @IsString()
  note?: string | null;

  @IsOptional()
  @ValidateNested()
  @Type(() => Part)
  part?: Part;

  @Expose({ name: 'made_of' })
  @MayBeAbsent()
  @IsString()
  wood?: string;
}

class Table extends Change {
  @MayBeAbsent()
  @IsInt()
  rows? = 20;
}

describe('a valid body becomes', () => {
  it('an instance of its class, with exact integers', async () => {
    const delivery = await made(Delivery, '{"address":"Main Street 1","amount":9223372036854775807}');
    expect(delivery).toBeInstanceOf(Delivery);
    expect(delivery).toMatchObject({ address: 'Main Street 1', amount: 2n ** 63n - 1n });
  });

  it('an instance of its class at each level, also in lists', async () => {
    const bed = await made(Bed, '{"size":{"width":2},"parts":[{"width":2},{"width":2}]}');
    expect([bed.size, ...bed.parts!].every((item) => item instanceof Size)).toBe(true);
    expect((await made(Sofa, '{"pillows":[{"kind":"round"}],"facts":[null]}')).facts).toEqual([null]);
  });

  it.each<[Class<object>, string, unknown]>([
    [Change, '{}', []],
    [
      Change,
      '{"note":null,"part":{"name":"x"}}',
      [
        ['note', null],
        ['part', { name: 'x' }],
      ],
    ],
    [Table, '{}', [['rows', 20]]],
    [
      Table,
      '{"note":"x","rows":5}',
      [
        ['rows', 5],
        ['note', 'x'],
      ],
    ],
  ])(
    'an object with the fields that were sent, and with values of the class: %o %s',
    async (dto, text, entries) => {
      const found = Object.entries(await made(dto, text));
      expect(found.toSorted()).toEqual((entries as [string, unknown][]).toSorted());
    },
  );

  it('an object of another package if a transform makes one', async () => {
    expect((await made(Shelf, '{"price":7}')).price).toEqual(new Money(7));
  });

  it.each(['body', 'query'] as const)(
    'an object with the bigints that a transform makes, in a %s',
    async (type) => {
      class Coins {
        @Transform(({ value }: { value: string }) => BigInt(value))
        @IsDefined()
        one!: bigint;

        @Transform(({ value }: { value: string }) => value.split(',').map(BigInt))
        @IsArray()
        several!: bigint[];
      }
      const coins = { one: '7', several: '7,8' };
      expect(await new DtoValidationPipe().transform(coins, { type, metatype: Coins })).toEqual({
        one: 7n,
        several: [7n, 8n],
      });
    },
  );
});

describe('a transform that fails is a fault of the service', () => {
  it.each([new Error('a bug'), new TypeError('a bug')])('whatever it throws: %o', async (bug) => {
    class Broken {
      @Transform(() => {
        throw bug;
      })
      @IsString()
      name!: string;
    }
    await expect(made(Broken, '{"name":"Rex"}')).rejects.toBe(bug);
  });

  it.each([
    '{"pillows":[{"kind":"round"}],"name":7,"facts":[null]}',
    '{"pillows":[null],"name":7}',
    '{"pillows":[{"kind":"round"}],"tags":[null]}',
    '{"pillows":["x"],"tags":[null]}',
  ])('also if the body has null in a list: %s', async (text) => {
    await expect(made(Sofa, text)).rejects.toThrow(TypeError);
  });
});
