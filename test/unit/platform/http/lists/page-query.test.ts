import { describe, expect, it } from 'vitest';
import { PageQuery } from '../../../../../src/platform/http/lists/page.query.js';
import { judged } from '../../../../support/http/judged.js';

const codesOf = async (query: object) => {
  const { problems } = await judged(PageQuery, query, 'query');
  return problems.map(({ path, code }) => `${path[0]} ${code}`);
};

describe('a page that is asked for', () => {
  it.each(['1', '100'])('has %s items when the client says so', async (limit) => {
    const { dto, problems } = await judged(PageQuery, { limit }, 'query');
    expect([dto.limit, problems]).toEqual([Number(limit), []]);
  });

  it.each(['0', '101', '-1', '9'.repeat(30)])('cannot have %s items', async (limit) => {
    expect(await codesOf({ limit })).toEqual(['limit out_of_range']);
  });

  it.each(['', ' 5', '5 ', '+5', '05', '1e1', '5.0', '0x5', '-0', 'five', '٥', { a: '5' }])(
    'has a limit that is a number in plain decimals, unlike %j',
    async (limit) => {
      const [problem, ...others] = (await judged(PageQuery, { limit }, 'query')).problems;
      expect([problem?.code, problem?.message, others]).toEqual([
        'invalid_type',
        'must be a whole number from 1 to 100, given once',
        [],
      ]);
    },
  );

  it('is rejected with its range', async () => {
    const [problem] = (await judged(PageQuery, { limit: '0' }, 'query')).problems;
    expect(problem?.message).toBe('must be from 1 to 100');
  });
});
