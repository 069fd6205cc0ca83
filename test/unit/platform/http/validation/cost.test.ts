import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { TextField } from '../../../../../src/platform/http/index.js';
import { judged, parsed } from '../../../../support/http/judged.js';

class Size {
  @IsInt()
  width!: number;
}

class Form {
  @TextField({ description: 'A name.', example: 'Rex', optional: true, maxLength: 255 })
  name?: string;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Size)
  parts?: Size[];

  @IsOptional()
  @IsString({ each: true })
  tags?: string[];
}

/** Processor time in ms: the least of several tries, because other programs only add to it. */
async function costOf(body: object): Promise<number> {
  const costs: number[] = [];
  for (let i = 0; i < 5; i++) {
    const before = process.cpuUsage();
    expect((await judged(Form, body)).problems).not.toEqual([]);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1_000);
  }
  return Math.min(...costs);
}

describe('the cost of checking a body grows linearly with', () => {
  it.each<[string, keyof Form | 'strange', unknown]>([
    ['numbers in place of a text', 'name', 1],
    ['lists in place of a text', 'name', []],
    ['null in place of an object', 'parts', null],
    ['objects that lack a field', 'parts', {}],
    ['objects with an unknown field', 'parts', { size: 1 }],
    ['numbers in place of texts', 'tags', 1],
    ['integers that a number cannot hold', 'tags', 2n ** 60n],
    ['objects in an unknown field', 'strange', { a: 1 }],
  ])('%s', async (_, field, value) => {
    const bodyOf = (length: number) => parsed({ [field]: Array.from({ length }, () => value) });
    const [few, many] = [await costOf(bodyOf(1_000)), await costOf(bodyOf(16_000))];
    // 256 times as much if each value is compared with all others, and 16 to 40 times if not. The benchmark has the figures.
    expect(many, `${few} ms, then ${many} ms`).toBeLessThan(80 * few + 10);
  });
});
