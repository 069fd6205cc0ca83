import { Transform, Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { MayBeAbsent } from '../../../../../src/platform/http/index.js';
import { judged } from '../../../../support/http/judged.js';

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

const size = { width: 2 };
const problemsOf = async (bed: object) => (await judged(Bed, { size, ...bed })).problems;

describe('a nested object', () => {
  it.each<[object, string, string, string]>([
    [{ size: undefined }, 'size', 'required', 'is required'],
    [{ size: null }, 'size', 'invalid_type', 'must be an object'],
    [{ size: [] }, 'size', 'invalid_type', 'must be an object'],
    [{ size: [size] }, 'size', 'invalid_type', 'must be an object'],
    [{ size: [{ width: 'x' }] }, 'size', 'invalid_type', 'must be an object'],
    [{ size: 'large' }, 'size', 'invalid_type', 'must be an object'],
    [{ size: {} }, 'size/width', 'required', 'is required'],
    [{ parts: size }, 'parts', 'invalid_type', 'must be an array'],
    [{ parts: { width: 'x' } }, 'parts', 'invalid_type', 'must be an array'],
    [{ parts: [size, {}] }, 'parts/1/width', 'required', 'is required'],
    [{ parts: [size, 'x'] }, 'parts/1', 'invalid_type', 'must be an object'],
    [{ parts: [size, null] }, 'parts/1', 'invalid_type', 'must be an object'],
    [{ gaps: [{ width: 'x' }] }, 'gaps/0/width', 'invalid_type', 'must be an integer number'],
  ])('has one problem in one place: %j', async (bed, path, code, message) => {
    expect(await problemsOf(bed)).toEqual([{ path: path.split('/'), code, message }]);
  });

  it.each([{}, { parts: [] }, { parts: [size] }, { gaps: null }, { gaps: size }, { gaps: [size] }])(
    'may be absent, as one object or in a list, as it is declared: %j',
    async (bed) => expect(await problemsOf(bed)).toEqual([]),
  );

  it('becomes an instance of its class, also in a list', async () => {
    const { dto } = await judged(Bed, { size, parts: [size, size] });
    expect([dto.size, ...dto.parts!].every((item) => item instanceof Size)).toBe(true);
  });

  it('does not hide problems of other fields, nor other problems of its own', async () => {
    const bed = { size: { width: 'x', widths: 2 }, parts: {}, gaps: [{ width: null }] };
    expect((await problemsOf(bed)).map(({ path, message }) => [path.join('/'), message])).toEqual([
      ['size/widths', 'is not known; did you mean width'],
      ['size/width', 'must be an integer number'],
      ['parts', 'must be an array'],
      ['gaps/0/width', 'must be an integer number'],
    ]);
  });
});

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

describe('null in a list of objects', () => {
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
  const round = { kind: 'round' };

  it('is a problem in its place, also if another property decides the class', async () => {
    const { problems } = await judged(Sofa, {
      pillows: [round, null, { kind: 'square' }, null],
      facts: [null],
    });
    expect(problems).toEqual(
      ['1', '3'].map((i) => ({ path: ['pillows', i], code: 'invalid_type', message: 'must be an object' })),
    );
  });

  it('is accepted in a list of anything', async () => {
    const { dto, problems } = await judged(Sofa, { pillows: [round], facts: [null] });
    expect([problems, dto.facts]).toEqual([[], [null]]);
  });

  it.each([
    { pillows: [round], name: 7, facts: [null] },
    { pillows: [null], name: 7 },
    { pillows: [round], tags: [null] },
    { pillows: ['x'], tags: [null] },
  ])('does not hide that a transform fails, which is a fault of the service: %j', async (sofa) => {
    await expect(judged(Sofa, sofa)).rejects.toThrow(TypeError);
  });
});
