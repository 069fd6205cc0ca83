import { PartialType } from '@nestjs/swagger';
import { Expose, Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';
import { MayBeAbsent, ReadOnly } from '../../../../../src/platform/http/index.js';
import { IsInt64 } from '../../../../support/rooms/http.js';
import type { DtoClass } from '../../../../../tools/openapi/dto-metadata.js';
import { judged } from '../../../../support/http/judged.js';

class Delivery {
  @IsString()
  address!: string;

  @IsInt64()
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

class Seen {
  @IsString({ groups: ['desk'] })
  note!: string;

  /** A field without a rule, which only the code of the module sets. */
  at?: Date;
}

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
  @IsInt()
  rows?: number;

  @IsOptional()
  @ValidateNested()
  @Type(() => Part)
  part?: Part;
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

const good = { address: 'Main Street 1', amount: 3 };

describe('data that are checked against a class', () => {
  it('become an instance of the class if they are valid', async () => {
    const { dto, problems } = await judged(Delivery, good);
    expect(problems).toEqual([]);
    expect(dto).toBeInstanceOf(Delivery);
    expect(dto).toMatchObject({ ...good, amount: 3n });
  });

  it.each<[string, DtoClass, object, string[]]>([
    [
      'all their problems at once, and one problem for each field',
      Delivery,
      { address: null, number: 5, colour: 'red' },
      ['colour unknown_field', 'address invalid_type', 'amount required', 'number read_only_field'],
    ],
    [
      'problems with rules of the base class',
      Express,
      { daytime: 'noon' },
      ['daytime invalid_enum_value', 'address required', 'amount required'],
    ],
    [
      'a problem with a field that only a derived class has',
      Delivery,
      { ...good, daytime: 'morning' },
      ['daytime unknown_field'],
    ],
    [
      "problems with rules that Nest's mapped types copy",
      DeliveryChange,
      { address: 7, colour: 1 },
      ['colour unknown_field', 'address invalid_type'],
    ],
    ['no problem with absent optional fields', DeliveryChange, {}, []],
    ['a problem with a field without a rule', Seen, { note: 'x', at: 1 }, ['at unknown_field']],
    ['no problem with an absent field without a rule', Seen, { note: 'x', at: undefined }, []],
    ['problems with rules of a group, because all groups apply', Seen, { note: 7 }, ['note invalid_type']],
  ])('have %s', async (_, dto, data, told) => {
    const { problems } = await judged(dto, data);
    expect(problems.map(({ path, code }) => `${path.join('/')} ${code}`)).toEqual(told);
  });

  it('wait for asynchronous rules; a rule of a module has the code invalid_value and its own message', async () => {
    const { problems } = await judged(Name, { name: 'Rex' });
    expect(problems).toEqual([{ path: ['name'], code: 'invalid_value', message: 'is taken' }]);
    expect((await judged(Name, { name: 'Max' })).problems).toEqual([]);
  });

  it('keep exactly the fields that were sent, null included, also in nested objects', async () => {
    const { dto, problems } = await judged(Change, { note: null, part: { name: 'x' } });
    expect(problems).toEqual([]);
    expect([Object.keys(dto), Object.keys(dto.part!)]).toEqual([['note', 'part'], ['name']]);
    expect(Object.keys((await judged(Change, {})).dto)).toEqual([]);
  });
});

describe('an unknown field', () => {
  it.each<[field: string, DtoClass, hint: string]>([
    ['adress', Delivery, 'did you mean address'],
    ['Address', Delivery, 'did you mean address'],
    ['amuont', Delivery, 'did you mean amount'],
    ['amounts', Delivery, 'did you mean amount'],
    ...['colour', '', 'a', 'x'.repeat(1_000)].map((field): [string, DtoClass, string] => [
      field,
      Delivery,
      'known are address, amount',
    ]),
    // `number` is assigned by the service, so it is not suggested.
    ['numbers', Delivery, 'known are address, amount'],
    ['numbers', DeliveryChange, 'known are address, amount'],
    // A suggestion must be closer to a short name than to a long name.
    ['sice', Ring, 'did you mean size'],
    ['nice', Ring, 'known are size'],
    ['name', class Nothing {}, 'none is'],
  ])('gets a message with the likely name, or with all names: "%s"', async (field, dto, hint) => {
    const { problems } = await judged(dto, { ...good, [field]: 1 });
    const [problem] = problems.filter(({ path }) => path[0] === field);
    expect(problem).toEqual({ path: [field], code: 'unknown_field', message: `is not known; ${hint}` });
  });
});

describe('a field that was not sent', () => {
  class Change {
    @MayBeAbsent()
    @IsString()
    note?: string;

    @MayBeAbsent()
    @IsInt()
    rows? = 20;

    @Expose({ name: 'made_of' })
    @MayBeAbsent()
    @IsString()
    wood?: string;
  }

  it('is absent, unless the class gives it a value', async () => {
    const { dto } = await judged(Change, {});
    expect(Object.entries(dto)).toEqual([['rows', 20]]);
    expect((await judged(Change, { note: 'x', rows: 5 })).dto).toEqual(
      Object.assign(new Change(), { note: 'x', rows: 5 }),
    );
  });
});

it.each([new Error('a bug'), new TypeError('a bug')])(
  'a transform that fails is a fault of the service: %o',
  async (bug) => {
    class Broken {
      @Transform(() => {
        throw bug;
      })
      @IsString()
      name!: string;
    }
    await expect(judged(Broken, { name: 'Rex' })).rejects.toBe(bug);
  },
);

describe('a bigint that a transform creates', () => {
  class Coins {
    @Transform(({ value }: { value: string }) => BigInt(value))
    @IsDefined()
    one!: bigint;

    @Transform(({ value }: { value: string }) => value.split(',').map(BigInt))
    @IsArray()
    several!: bigint[];
  }

  it.each(['body', 'query'] as const)('is kept, in a %s', async (type) => {
    expect(await judged(Coins, { one: '7', several: '7,8' }, type)).toEqual({
      dto: { one: 7n, several: [7n, 8n] },
      problems: [],
    });
  });
});
