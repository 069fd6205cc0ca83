import type { Type } from '@nestjs/common';
import { DtoValidationPipe } from '../../../src/platform/http/validation/validation.pipe.js';
import { parseJson } from '../../../src/platform/json/parse-json.js';
import { writeJson } from '../../../src/platform/json/write-json.js';

/** A body as the parser makes it, which marks what holds a bigint. */
export const parsed = (data: object): object => parseJson(Buffer.from(writeJson(data))) as object;

/** What the pipe makes of a body, or of a query: an instance of the class, with all problems. */
export async function judged<Dto extends object>(
  dto: Type<Dto>,
  data: object,
  type: 'body' | 'query' | 'param' = 'body',
) {
  // Made where it is asked, in a test, as mutants need it.
  const { made, problems } = await new DtoValidationPipe().judge(data, { type, metatype: dto });
  return { dto: made as Dto, problems };
}
