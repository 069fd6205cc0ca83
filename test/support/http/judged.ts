import type { Type } from '@nestjs/common';
import { DtoValidationPipe } from '../../../src/platform/http/index.js';
import { parseJson } from '../../../src/platform/json/parse-json.js';
import { writeJson } from '../../../src/platform/json/write-json.js';

/** A body as the parser makes it, with the exact integers beside its numbers. */
export const parsed = (data: object): object => parseJson(Buffer.from(writeJson(data))) as object;

/** The result of the pipe for a body or a query: an instance of the class, with all problems. */
export async function judged<Dto extends object>(
  dto: Type<Dto>,
  data: object,
  type: 'body' | 'query' | 'param' = 'body',
) {
  // Created in the test, because mutants only take effect there.
  const { made, problems } = await new DtoValidationPipe().judge(data, { type, metatype: dto });
  return { dto: made as Dto, problems };
}
