import { Expose, Transform, Type } from 'class-transformer';
import { Allow, IsDefined, IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { MayBeAbsent } from '../../../../../src/platform/http/index.js';
import { IsInt64 } from '../../../../support/rooms/http.js';
import { judged, parsed } from '../../../../support/http/judged.js';

class Size {
  @IsInt()
  width!: number;
}

/** A class of another package. */
class Money {
  constructor(readonly cents: unknown) {}
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
const RANGE = 'out_of_range: must be from -9007199254740991 to 9007199254740991';

describe('an integer that a number cannot hold, in a field for other values,', () => {
  it.each<[object, ...problems: string[]]>([
    [{ rows: [1, LARGE] }, `rows/1 ${RANGE}`],
    [
      { facts: { seen: [LARGE] }, rows: ['x'] },
      `facts/seen/0 ${RANGE}`,
      'rows invalid_type: each value must be an integer number',
    ],
    [{ rows: [LARGE, 'x'] }, 'rows invalid_type: each value must be an integer number'],
    [{ parts: [{ width: 1 }, { width: LARGE }] }, `parts/1/width ${RANGE}`],
    [{ named: { east: { width: LARGE } } }, `named/east/width ${RANGE}`],
    [{ made_of: LARGE }, `wood ${RANGE}`],
    [{ owner: LARGE }],
    // What a transform makes is made of a rounded number.
    [{ owner: LARGE, price: LARGE }, `price ${RANGE}`],
    [
      { owner: 2n ** 64n, facts: { 'a/b': [LARGE, LARGE] } },
      `facts/a/b/0 ${RANGE}`,
      `facts/a/b/1 ${RANGE}`,
      'owner out_of_range: must be from -9223372036854775808 to 9223372036854775807',
    ],
    [
      { strange: [LARGE] },
      'strange unknown_field: is not known; known are facts, named, owner, parts, price, rows, wood',
    ],
  ])('is one problem, with its place: %o', async (shelf, ...told) => {
    const { problems } = await judged(Shelf, parsed(shelf));
    expect(problems.map(({ path, code, message }) => `${path.join('/')} ${code}: ${message}`)).toEqual(told);
  });

  it('is reported for each of many, and hides no other problem', async () => {
    class Note {
      @Allow()
      facts!: unknown;

      @IsString()
      text!: string;
    }
    const body = { facts: Array.from({ length: 5_000 }, () => LARGE), text: 7 };
    const { problems } = await judged(Note, parsed(body));
    expect(problems).toHaveLength(5_001);
    expect(problems[4_999]).toMatchObject({ path: ['facts', '4999'], code: 'out_of_range' });
    expect(problems[5_000]).toMatchObject({ path: ['text'], code: 'invalid_type' });
  });

  it('is reported in a body without a class', async () => {
    const { problems } = await judged(Object, parsed({ a: [{ n: LARGE }] }));
    expect(problems).toMatchObject([{ path: ['a', '0', 'n'], code: 'out_of_range' }]);
  });
});
