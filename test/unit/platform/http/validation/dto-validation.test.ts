import { PartialType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsDefined,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';
import { MayBeAbsent, ReadOnly } from '../../../../../src/platform/http/validation/dto.decorators.js';
import { IsInt64 } from '../../../../../src/platform/http/validation/own-rules.js';
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

class Ring {
  @MayBeAbsent()
  @IsString()
  size?: string;
}

const good = { address: 'Main Street 1', amount: 3 };
const codesOf = async (data: object) =>
  (await judged(Delivery, data)).problems.map(({ path, code }) => `${path.join('.')} ${code}`);
const hintFor = async (field: string) =>
  (await judged(Delivery, { ...good, [field]: 1 })).problems[0]?.message;

describe('data that is held against its rules', () => {
  it('becomes the thing itself when it keeps them', async () => {
    const { dto, problems } = await judged(Delivery, good);
    expect(problems).toEqual([]);
    expect(dto).toBeInstanceOf(Delivery);
    expect(dto).toMatchObject({ ...good, amount: 3n });
  });

  it('hears of everything that is wrong at once', async () => {
    expect(await codesOf({ address: 7, number: 5, colour: 'red' })).toEqual([
      'colour unknown_field',
      'address invalid_type',
      'amount required',
      'number read_only_field',
    ]);
  });

  it('must also keep the rules that a thing has from its kind', async () => {
    const { problems } = await judged(Express, { daytime: 'noon' });
    expect(problems.map(({ path }) => path[0]!).toSorted()).toEqual(['address', 'amount', 'daytime']);
  });

  it.each(['toString', 'hasOwnProperty', 'valueOf'])(
    'cannot hide the rules behind a field named %s',
    async (field) => {
      expect(await codesOf({ [field]: { name: 'Object' } })).toEqual([
        `${field} unknown_field`,
        'address required',
        'amount required',
      ]);
    },
  );

  it.each(['constructor', 'prototype', '__proto__'])(
    'is not read further with a field named %s',
    async (field) => {
      expect(await codesOf(JSON.parse(`{"address":7,"${field}":1}`) as object)).toEqual([
        `${field} unknown_field`,
      ]);
    },
  );
});

describe('a field that is not known', () => {
  it.each([
    ['adress', 'address'],
    ['Address', 'address'],
    ['amuont', 'amount'],
    ['amounts', 'amount'],
  ])('is taken for a slip of the hand: %s for %s', async (field, meant) => {
    expect(await hintFor(field)).toBe(`is not known; did you mean ${meant}`);
  });

  it.each(['colour', '', 'a', 'x'.repeat(1_000)])(
    'is answered with the list when nothing is near: "%s"',
    async (field) => {
      expect(await hintFor(field)).toBe('is not known; known are address, amount');
    },
  );

  it.each([
    ['sice', 'did you mean size'],
    ['nice', 'known are size'],
  ])('must be nearer to a short name than to a long one: %s', async (field, hint) => {
    expect((await judged(Ring, { [field]: 'L' })).problems[0]?.message).toBe(`is not known; ${hint}`);
  });

  it('is never taken for a field that the service assigns', async () => {
    expect(await hintFor('numbers')).toBe('is not known; known are address, amount');
  });
});

describe('a nested object', () => {
  class Stop {
    @IsString()
    @MaxLength(5)
    street!: string;

    @IsInt()
    @Min(1)
    floor!: number;
  }

  class Tour {
    @ValidateNested()
    @Type(() => Stop)
    first!: Stop;

    @ValidateNested({ each: true })
    @Type(() => Stop)
    stops!: Stop[];
  }

  const stop = { street: 'Mill', floor: 3 };
  const problems = async (data: object) =>
    (await judged(Tour, data)).problems.map(
      ({ path, code, message }) => `${path.join('/')} ${code} ${message}`,
    );

  it('becomes one of its class, alone and in a list', async () => {
    const { dto, problems: none } = await judged(Tour, { first: stop, stops: [stop, stop] });
    expect(none).toEqual([]);
    expect([dto.first, ...dto.stops].every((item) => item instanceof Stop)).toBe(true);
  });

  it('is validated in its place', async () => {
    const wrong = { street: 'Mill Lane', floor: 0, flor: 1 };
    expect(await problems({ first: wrong, stops: [stop, { street: 7 }, 'x'] })).toEqual([
      'first/flor unknown_field is not known; did you mean floor',
      'first/street too_long must be shorter than or equal to 5 characters',
      'first/floor out_of_range must not be less than 1',
      'stops/1/street invalid_type must be a string',
      'stops/1/floor required is required',
      'stops/2 invalid_type must be an object',
    ]);
  });
});

describe("Nest's mapped types", () => {
  class Change extends PartialType(Delivery) {}

  it('know the fields of what they were made from', async () => {
    expect((await judged(Change, {})).problems).toEqual([]);
    const { problems } = await judged(Change, { address: 7, colour: 1 });
    expect(problems.map(({ path, code }) => `${path[0]} ${code}`)).toEqual([
      'colour unknown_field',
      'address invalid_type',
    ]);
  });
});

describe('a rule that waits for something', () => {
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

  it('is waited for; it has the code of a rule of its own, and its sentence', async () => {
    const { problems } = await judged(Name, { name: 'Rex' });
    expect(problems).toEqual([{ path: ['name'], code: 'invalid_value', message: 'is taken' }]);
    expect((await judged(Name, { name: 'Max' })).problems).toEqual([]);
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
  }

  it('is not there, unless the class gives it a value', async () => {
    const { dto } = await judged(Change, {});
    expect(['note' in dto, dto.rows]).toEqual([false, 20]);
    expect((await judged(Change, { note: 'x', rows: 5 })).dto).toEqual(
      Object.assign(new Change(), { note: 'x', rows: 5 }),
    );
  });
});

describe('a field without a rule', () => {
  class Seen {
    @IsString()
    note!: string;

    at?: Date;
  }

  it('is for the code of the module alone', async () => {
    expect((await judged(Seen, { note: 'x' })).problems).toEqual([]);
    expect((await judged(Seen, { note: 'x', at: 1 })).problems).toMatchObject([{ code: 'unknown_field' }]);
  });
});

describe('a rule of a group', () => {
  it('counts, because all groups are asked for', async () => {
    class Visit {
      @IsString({ groups: ['desk'] })
      note!: string;
    }
    expect((await judged(Visit, { note: 7 })).problems).toMatchObject([{ code: 'invalid_type' }]);
  });
});

describe('a bigint that a transform makes', () => {
  class Coins {
    @Transform(({ value }: { value: string }) => BigInt(value))
    @IsDefined()
    one!: bigint;

    @Transform(({ value }: { value: string }) => value.split(',').map(BigInt))
    @IsArray()
    several!: bigint[];
  }

  it.each(['body', 'query'] as const)('is what its author wants, in a %s', async (type) => {
    expect(await judged(Coins, { one: '7', several: '7,8' }, type)).toEqual({
      dto: { one: 7n, several: [7n, 8n] },
      problems: [],
    });
  });
});

describe('a member with the name of a method or getter', () => {
  class Shape {
    @IsInt()
    width!: number;

    get area(): number {
      return this.width ** 2;
    }
  }
  class Drawing {
    @ValidateNested({ each: true })
    @Type(() => Shape)
    shapes!: Shape[];

    @IsObject()
    facts!: object;
  }

  it('is refused, and not lost', async () => {
    const drawing = { shapes: [{ width: 2, area: 4 }], facts: { seen: { toString: 'x' } } };
    expect((await judged(Drawing, drawing)).problems.map(({ path }) => path.join('/'))).toEqual([
      'shapes/0/area',
      'facts/seen/toString',
    ]);
  });
});

describe("a change by class-validator's own rules alone", () => {
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

  it('has what was sent, null too, and nothing else, also in what is nested', async () => {
    const { dto, problems } = await judged(Change, { note: null, part: { name: 'x' } });
    expect(problems).toEqual([]);
    expect([Object.keys(dto), Object.keys(dto.part!)]).toEqual([['note', 'part'], ['name']]);
    expect(Object.keys((await judged(Change, {})).dto)).toEqual([]);
  });

  it('is not taken for a class by a field named constructor, however deep', async () => {
    const data = { note: { constructor: 1 }, part: { rows: [{ constructor: 'x' }] } };
    expect((await judged(Change, data)).problems.map(({ path }) => path.join('/'))).toEqual([
      'note/constructor',
      'part/rows/0/constructor',
    ]);
  });
});
