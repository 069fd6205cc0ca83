import { Exclude, Expose, Transform } from 'class-transformer';
import { Allow, IsArray, IsOptional } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { IsInt64 } from '../../../../support/rooms/http.js';
import { judged, parsed } from '../../../../support/http/judged.js';

const MAX = 2n ** 63n - 1n;
/** It rounds to the same number as MAX. */
const NEAR = MAX - 1n;
const problemsOf = ({ problems }: Awaited<ReturnType<typeof judged>>) =>
  problems.map(({ path, code }) => `${path.join('/')} ${code}`);

describe('a 64-bit integer that a number does not hold', () => {
  it("belongs to the field that JSON names, even if two fields have each other's name", async () => {
    class Swapped {
      @Expose({ name: 'second' })
      @IsInt64()
      first!: bigint;

      @Expose({ name: 'first' })
      @IsInt64()
      second!: bigint;
    }
    const { dto, problems } = await judged(Swapped, parsed({ first: MAX, second: NEAR }));
    expect([dto, problems]).toEqual([{ first: NEAR, second: MAX }, []]);
  });

  it('belongs to the field that JSON names, in whatever order the class exposes its fields', async () => {
    @Exclude()
    class Exposed {
      @Expose({ name: 'sold_by' })
      @IsInt64()
      seller!: bigint;

      @Expose({ name: 'made_by' })
      @IsInt64()
      maker!: bigint;
    }
    const { dto, problems } = await judged(Exposed, parsed({ made_by: MAX, sold_by: NEAR }));
    expect([{ ...dto }, problems]).toEqual([{ seller: NEAR, maker: MAX }, []]);
  });

  it('is exact in each class that is made of the same body', async () => {
    class Counted {
      @Allow()
      id!: number;
    }
    class Named {
      @IsInt64()
      id!: bigint;
    }
    const body = parsed({ id: MAX });
    const [counted, named] = await Promise.all([judged(Counted, body), judged(Named, body)]);
    expect(problemsOf(counted)).toEqual(['id out_of_range']);
    expect([named.dto.id, named.problems]).toEqual([MAX, []]);
  });

  it('is kept by a transform that changes other values only', async () => {
    class Owner {
      @Transform(({ value }: { value: unknown }) => value ?? 7)
      @IsInt64()
      id!: bigint;
    }
    expect((await judged(Owner, parsed({ id: MAX }))).dto.id).toBe(MAX);
    expect((await judged(Owner, parsed({ id: null }))).dto.id).toBe(7n);
  });

  it('is rejected where a transform before has moved or changed it, and never rounded', async () => {
    class Lists {
      @IsOptional()
      @Transform(({ value }: { value: unknown[] }) => value.toReversed())
      @IsArray()
      @IsInt64({ each: true })
      reversed?: bigint[];

      @IsOptional()
      @Transform(({ value }: { value: number }) => value - 2 ** 60)
      @IsInt64()
      less?: bigint;
    }
    expect(problemsOf(await judged(Lists, parsed({ reversed: [MAX, 1n] })))).toEqual([
      'reversed out_of_range',
    ]);
    expect(problemsOf(await judged(Lists, parsed({ less: MAX })))).toEqual(['less out_of_range']);
  });

  it('is rejected where class-transformer cannot tell the name of the field in JSON', async () => {
    class Strict {
      @Expose({ name: 'made_by' })
      @Transform(({ value }: { value: number }) => {
        if (value === null) throw new TypeError('null');
        return value;
      })
      @IsInt64()
      maker!: bigint;
    }
    expect(problemsOf(await judged(Strict, parsed({ made_by: MAX })))).toEqual([
      'made_by out_of_range',
      'maker out_of_range',
    ]);
    expect((await judged(Strict, parsed({ made_by: 7 }))).dto.maker).toBe(7n);
  });

  it('is rejected where the class leaves it out', async () => {
    class Partly {
      @Allow()
      name!: string;

      toString() {
        return this.name;
      }
    }
    expect(problemsOf(await judged(Partly, parsed({ name: 'x', toString: MAX })))).toEqual([
      'toString out_of_range',
    ]);
    expect((await judged(Partly, parsed({ name: 'x', toString: 7 }))).problems).toEqual([]);
  });
});
