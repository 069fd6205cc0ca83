import { Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsDefined,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';
import { MayBeAbsent } from '../../../../../src/platform/http/validation/dto.decorators.js';
import { IsInt64 } from '../../../../../src/platform/http/validation/own-rules.js';
import { judged } from '../../../../support/http/judged.js';

class Size {
  @IsInt()
  width!: number;

  get area(): number {
    return this.width ** 2;
  }
}

class Bolt {
  @IsInt()
  length!: number;
}

/** Of another package. */
class Money {
  constructor(readonly cents: unknown) {}
}

class Shelf {
  @MayBeAbsent()
  @IsString({ each: true })
  tags?: string[];

  @ValidateIf(({ tags }: Shelf) => tags?.length === 2)
  @IsString({ each: true })
  doors!: string[];

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Size)
  @ArrayMaxSize(2)
  parts?: Size[];

  @IsOptional()
  @ValidateNested()
  @Type(() => Size)
  one?: Size | Bolt;

  @IsOptional()
  @ValidateNested()
  @Type(() => Size)
  pair?: Size[];

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Size)
  named?: Map<string, Size>;

  @IsOptional()
  @IsString({ each: true })
  @Type(() => String)
  marks?: Set<string>;

  @IsOptional()
  @IsInt({ each: true })
  rows?: number[];

  @MayBeAbsent()
  @IsInt64()
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

const LARGE = 2n ** 60n;
const SAFE = 'out_of_range: must be from -9007199254740991 to 9007199254740991';
const LIST = 'invalid_type: must be an array';
const OBJECT = 'invalid_type: must be an object';
const AREA = 'unknown_field: is not known; known are width';
const problemsOf = async (shelf: object, type?: 'query') => {
  const { problems } = await judged(Shelf, shelf, type);
  return problems.map(({ path, code, message }) => `${path.join('/')} ${code}: ${message}`);
};

describe('what class-validator does not see', () => {
  it.each<[object, ...problems: string[]]>([
    [{ tags: 'x' }, `tags ${LIST}`],
    [{ tags: [7] }, 'tags invalid_type: each value must be a string'],
    [{ tags: ['x', 'y'], doors: 'x' }, `doors ${LIST}`],
    [{ tags: ['x', 'y'] }, 'doors required: is required'],
    [{ marks: ['x'], pair: [{ width: 1 }] }],
    [{ tags: ['x'], doors: 'x' }],
    [{ tags: ['x', 'y'], doors: null }, 'doors invalid_type: each value must be a string'],
    [
      { parts: [null, { width: 'x' }] },
      `parts/0 ${OBJECT}`,
      'parts/1/width invalid_type: must be an integer number',
    ],
    [{ parts: [[{ width: 1 }]] }, `parts/0 ${OBJECT}`],
    [
      { parts: [{ width: 1, area: 1 }, { width: 1 }, { width: 1 }] },
      `parts/0/area ${AREA}`,
      'parts too_long: must contain no more than 2 elements',
    ],
    [{ parts: { width: 1, area: 1 } }, `parts ${LIST}`],
    [{ one: [{ width: 1, area: 1 }] }, `one ${OBJECT}`],
    [{ one: { width: 1 }, named: { east: { width: 2 } } }],
    [{ named: { east: { width: 2, area: 4 } } }, `named/east/area ${AREA}`],
    [{ rows: [1, LARGE] }, `rows/1 ${SAFE}`],
    [
      { facts: { seen: [1n] }, rows: ['x'] },
      `facts/seen/0 ${SAFE}`,
      'rows invalid_type: each value must be an integer number',
    ],
    [{ made_of: LARGE }, `wood ${SAFE}`],
    [{ owner: LARGE, price: LARGE }],
  ])('of a body: %o', async (shelf, ...problems) => {
    expect(await problemsOf(shelf)).toEqual(problems);
  });

  it('of a query, in which one of several is a text', async () => {
    const problems = await problemsOf({ tags: 'x', toString: 'x' }, 'query');
    expect(problems).toEqual([expect.stringMatching(/^toString unknown_field/)]);
  });

  it('of an object without a class, or a prototype', async () => {
    const { problems } = await judged(Object, Object.assign(Object.create(null) as object, { n: 1n }));
    expect(problems).toMatchObject([{ path: ['n'], code: 'out_of_range' }]);
  });

  it('of names that no member may have', async () => {
    expect(await problemsOf({ facts: { constructor: 1 } })).toEqual([
      'facts/constructor unknown_field: is a name that no member may have',
    ]);
  });
});
