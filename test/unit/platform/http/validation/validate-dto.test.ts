import { PartialType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  IsDate,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';
import {
  IsInt64,
  MayBeAbsent,
  IsInstant,
  PureRules,
  ReadOnly,
} from '../../../../../src/platform/http/validation/dto.decorators.js';
import {
  validateBody,
  validateBodySync,
  validateParameters,
} from '../../../../../src/platform/http/validation/validate-dto.js';

class Delivery {
  @IsString()
  address!: string;

  @IsInt64()
  amount!: number;

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
const codesOf = (data: object) =>
  validateBodySync(Delivery, data).problems.map(({ path, code }) => `${path.join('.')} ${code}`);
const hintFor = (field: string) => validateBodySync(Delivery, { ...good, [field]: 1 }).problems[0]?.message;

describe('data that is held against its rules', () => {
  it('becomes the thing itself when it keeps them', () => {
    const { dto, problems } = validateBodySync(Delivery, good);
    expect(problems).toEqual([]);
    expect(dto).toBeInstanceOf(Delivery);
    expect(dto).toMatchObject(good);
  });

  it('hears of everything that is wrong at once', () => {
    expect(codesOf({ address: 7, number: 5, colour: 'red' })).toEqual([
      'colour unknown_field',
      'address invalid_type',
      'amount required',
      'number read_only_field',
    ]);
  });

  it('hears of one problem of a field once', () => {
    expect(codesOf({ address: null, amount: 'three' })).toEqual([
      'address invalid_type',
      'amount invalid_type',
    ]);
  });

  it('must also keep the rules that a thing has from its kind', () => {
    const { problems } = validateBodySync(Express, { daytime: 'noon' });
    expect(problems.map(({ path }) => path[0]!).toSorted()).toEqual(['address', 'amount', 'daytime']);
  });

  it('does not lend its rules to other things of its kind', () => {
    expect(codesOf({ ...good, daytime: 'morning' })).toEqual(['daytime unknown_field']);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'])(
    'cannot hide the rules behind a field named %s',
    (field) => {
      expect(codesOf({ [field]: { name: 'Object' } })).toEqual([
        `${field} unknown_field`,
        'address required',
        'amount required',
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
  ])('is taken for a slip of the hand: %s for %s', (field, meant) => {
    expect(hintFor(field)).toBe(`is not known; did you mean ${meant}`);
  });

  it.each(['colour', '', 'a', 'x'.repeat(1_000)])(
    'is answered with the list when nothing is near: "%s"',
    (field) => {
      expect(hintFor(field)).toBe('is not known; known are address, amount');
    },
  );

  it.each([
    ['sice', 'did you mean size'],
    ['nice', 'known are size'],
  ])('must be nearer to a short name than to a long one: %s', (field, hint) => {
    expect(validateBodySync(Ring, { [field]: 'L' }).problems[0]?.message).toBe(`is not known; ${hint}`);
  });

  it('is never taken for a field that the service assigns', () => {
    expect(hintFor('numbers')).toBe('is not known; known are address, amount');
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
    first!: Stop;

    @ValidateNested({ each: true })
    @Type(() => Stop)
    stops!: Stop[];
  }

  const stop = { street: 'Mill', floor: 3 };
  const problems = (data: object) =>
    validateBodySync(Tour, data).problems.map(
      ({ path, code, message }) => `${path.join('/')} ${code} ${message}`,
    );

  it('becomes one of its class, alone and in a list', () => {
    const { dto, problems: none } = validateBodySync(Tour, { first: stop, stops: [stop, stop] });
    expect(none).toEqual([]);
    expect([dto.first, ...dto.stops].every((item) => item instanceof Stop)).toBe(true);
  });

  it('is validated in its place', () => {
    const wrong = { street: 'Mill Lane', floor: 0, flor: 1 };
    expect(problems({ first: wrong, stops: [stop, { street: 7, constructor: 1 }, 'x'] })).toEqual([
      'first/flor unknown_field is not known; did you mean floor',
      'stops/1/constructor unknown_field is not known; known are floor, street',
      'first/street too_long must be shorter than or equal to 5 characters',
      'first/floor out_of_range must not be less than 1',
      'stops/1/street invalid_type must be a string',
      'stops/1/floor required is required',
      'stops/2 invalid_type must be an object',
    ]);
  });

  it('without a class has nothing to be judged by, which is a fault of ours', () => {
    class Careless {
      @ValidateNested({ each: true })
      stops!: unknown[];
    }
    expect(() => validateBodySync(Careless, { stops: [{}] })).toThrow('@Type(() => Item)');
  });
});

describe('a class without rules', () => {
  it('cannot judge anything, and says so', () => {
    class Bare {
      name!: string;
    }
    expect(() => validateBodySync(Bare, { name: 'Rex' })).toThrow('Bare has no validation rules');
  });
});

describe('a class that is declared to be plain', () => {
  it('is an instance with what was sent, and no more', () => {
    @PureRules({ plain: true })
    class Tag {
      @IsString()
      text!: string;

      @IsOptional()
      @IsString()
      colour?: string;
    }
    const { dto } = validateBodySync(Tag, { text: 'red' });
    expect(dto).toBeInstanceOf(Tag);
    expect(Object.entries(dto)).toEqual([['text', 'red']]);
  });

  it('is refused if class-transformer has something to do for it', () => {
    @PureRules({ plain: true })
    class Visit {
      @IsInstant()
      at!: Date;
    }
    expect(() => validateBodySync(Visit, {})).toThrow('Visit is declared to be plain, but at is not.');
  });
});

describe("Nest's mapped types", () => {
  class Change extends PartialType(Delivery) {}

  it('know the fields of what they were made from', () => {
    expect(validateBodySync(Change, {}).problems).toEqual([]);
    const { problems } = validateBodySync(Change, { address: 7, colour: 1 });
    expect(problems.map(({ path, code }) => `${path[0]} ${code}`)).toEqual([
      'colour unknown_field',
      'address invalid_type',
    ]);
  });
});

describe('a field that may be null', () => {
  class Note {
    @IsOptional()
    @IsString()
    text?: string | null;
  }

  it.each([{}, { text: null }, { text: 'x' }])('takes %j', (data) => {
    expect(validateBodySync(Note, data).problems).toEqual([]);
  });
});

describe('a number that is no bigint', () => {
  class Page {
    @IsInt()
    @Min(1)
    rows!: number;
  }
  const problems = (rows: unknown) =>
    validateBodySync(Page, { rows }).problems.map(({ code, message }) => `${code} ${message}`);

  it.each([2n ** 60n, Infinity])('is out of range as %s, and not of the wrong type', (rows) => {
    expect(problems(rows)[0]).toMatch(/^out_of_range /);
    expect(problems(rows)).toHaveLength(1);
  });

  it('is too small below its bound, also as bigint', () => {
    expect(problems(-(2n ** 60n))).toEqual(['out_of_range must not be less than 1']);
  });

  it('may be any bigint above a bound, beside a rule that takes them', () => {
    class Wide {
      @IsInt64()
      @MayBeAbsent()
      @Min(9)
      columns?: bigint;

      @IsInt64()
      @Min(1)
      rows!: bigint;
    }
    expect(validateBodySync(Wide, { rows: 2n ** 60n }).problems).toEqual([]);
    // JSON has small ones as numbers, a query as texts; the field has bigints.
    expect(validateBodySync(Wide, { rows: 1 })).toEqual({ dto: { rows: 1n }, problems: [] });
    expect(validateBodySync(Wide, { rows: 0 }).problems).toMatchObject([{ code: 'out_of_range' }]);
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
    const { problems } = await validateBody(Name, { name: 'Rex' });
    expect(problems).toEqual([{ path: ['name'], code: 'invalid_value', message: 'is taken' }]);
    expect((await validateBody(Name, { name: 'Max' })).problems).toEqual([]);
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

  it('is not there, unless the class gives it a value', () => {
    const { dto } = validateBodySync(Change, {});
    expect(['note' in dto, dto.rows]).toEqual([false, 20]);
    expect(validateBodySync(Change, { note: 'x', rows: 5 }).dto).toEqual(
      Object.assign(new Change(), { note: 'x', rows: 5 }),
    );
  });
});

describe('pure rules', () => {
  @PureRules()
  class Quick {
    @IsInt()
    rows!: number;
  }
  class Slower extends Quick {}

  it('are asked without a promise; those of a class that extends it may be other ones', () => {
    expect(validateBody(Quick, { rows: 'x' })).toMatchObject({ problems: [{ code: 'invalid_type' }] });
    expect(validateBody(Slower, { rows: 1 })).toBeInstanceOf(Promise);
  });

  it('leave to `@Transform` what it is for, also one that changes a single value', () => {
    @PureRules()
    class Renamed {
      @Transform(({ value }: { value: unknown }) => (value === 'kitten' ? 'cat' : value))
      @IsString()
      kind!: string;
    }
    expect(validateBodySync(Renamed, { kind: 'kitten' })).toEqual({
      dto: Object.assign(new Renamed(), { kind: 'cat' }),
      problems: [],
    });
  });
});

describe('parameters', () => {
  class Search {
    @MayBeAbsent()
    @IsInt()
    rows?: number;

    @MayBeAbsent()
    @IsInt64()
    owner?: bigint;

    @MayBeAbsent()
    @IsDate()
    since?: Date;

    @MayBeAbsent()
    all?: boolean;

    @MayBeAbsent()
    @IsString({ each: true })
    tags?: string[];
  }

  it('are read as what they are declared', async () => {
    const { dto, problems } = await validateParameters(Search, {
      rows: '5',
      owner: '9223372036854775807',
      since: '2026-11-20T00:00:00Z',
      all: 'true',
      tags: 'one',
    });
    expect(problems).toEqual([]);
    expect({ ...dto }).toEqual({
      rows: 5,
      owner: 2n ** 63n - 1n,
      since: new Date('2026-11-20'),
      all: true,
      tags: ['one'],
    });
  });

  it.each(['5.0', '05', '+5', '1e1', '', ' 5', '-0', 'five'])(
    'have one spelling: %j is no number',
    async (rows) => {
      const { problems } = await validateParameters(Search, { rows });
      expect(problems.map(({ code }) => code)).toEqual(['invalid_type']);
    },
  );

  it.each([{ since: 'yesterday' }, { since: '2026-13-01' }, { owner: '1e3' }])(
    'are rejected as %j',
    async (data) => {
      expect((await validateParameters(Search, data)).problems).toHaveLength(1);
    },
  );
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

  it('has what was sent, null too, and nothing else, also in what is nested', () => {
    const { dto, problems } = validateBodySync(Change, { note: null, part: { name: 'x' } });
    expect(problems).toEqual([]);
    expect([Object.keys(dto), Object.keys(dto.part!)]).toEqual([['note', 'part'], ['name']]);
    expect(Object.keys(validateBodySync(Change, {}).dto)).toEqual([]);
  });

  it('is not taken for a class by a field named constructor, however deep', () => {
    const data = { note: { constructor: 1 }, part: { rows: [{ constructor: 'x' }] } };
    expect(validateBodySync(Change, data).problems.map(({ path }) => path.join('/'))).toEqual([
      'note',
      'part/rows',
    ]);
  });
});

describe('a type that class-transformer makes of any text', () => {
  class Search {
    @Type(() => Boolean)
    desc?: boolean;

    @Type(() => Number)
    @IsInt()
    page!: number;
  }
  IsIn([true, false])(Search.prototype, 'desc');

  it.each([
    [{ desc: 'false', page: '3' }, []],
    [{ desc: 'maybe', page: '3' }, ['desc']],
    [{ desc: 'true', page: '03' }, ['page']],
    [{ desc: 'true', page: '9'.repeat(20) }, ['page']],
  ])('is read as we write it, or refused: %j', async (data, fields) => {
    const { problems } = await validateParameters(Search, data);
    expect(problems.map(({ path }) => path[0])).toEqual(fields);
  });
});
