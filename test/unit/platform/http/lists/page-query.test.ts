import { describe, expect, it } from 'vitest';
import { PageQuery } from '../../../../../src/platform/http/index.js';
import { judged } from '../../../../support/http/judged.js';

describe('the limit of a page', () => {
  it.each(['1', '100'])('may be %s', async (limit) => {
    const { dto, problems } = await judged(PageQuery, { limit }, 'query');
    expect([dto.limit, problems]).toEqual([Number(limit), []]);
  });

  it.each([
    ...['0', '101', '-1', '9'.repeat(30)].map((limit) => [limit, 'out_of_range', 'from 1 to 100']),
    ...['', ' 5', '5 ', '+5', '05', '1e1', '5.0', '0x5', '-0', 'five', '٥', { a: '5' }].map((limit) => [
      limit,
      'invalid_type',
      'a whole number from 1 to 100, given once',
    ]),
  ])('may not be %j: %s', async (limit, code, range) => {
    const { problems } = await judged(PageQuery, { limit }, 'query');
    expect(problems).toEqual([{ path: ['limit'], code, message: `must be ${range as string}` }]);
  });
});
