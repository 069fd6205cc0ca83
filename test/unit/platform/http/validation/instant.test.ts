import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InstantField } from '../../../../../src/platform/http/index.js';
import { IsInstant } from '../../../../support/rooms/http.js';
import { judged } from '../../../../support/http/judged.js';

class Form {
  @InstantField({ description: 'When.', example: '2026-11-20T12:00:00.000Z' })
  at!: Date;
}

const EXPECTED =
  'must be an instant of RFC 3339 with its offset, no finer than milliseconds, such as 2026-11-20T12:00:00.000Z';

describe('an instant', () => {
  it('is read exactly to the millisecond, as the service writes it', async () => {
    const dates = fc.date({
      min: new Date('0000-01-01T00:00:00.000Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    await fc.assert(
      fc.asyncProperty(dates, async (date) => {
        const { dto, problems } = await judged(Form, { at: date.toISOString() });
        expect([problems, dto.at]).toEqual([[], date]);
      }),
    );
  });

  it.each([
    ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20t12:00:00.5z', '2026-11-20T12:00:00.500Z'],
    ['2026-11-20T12:00:00.1230000+05:30', '2026-11-20T06:30:00.123Z'],
    ['2026-11-20T23:30:00-00:30', '2026-11-21T00:00:00.000Z'],
    ['2028-02-29T00:00:00-00:00', '2028-02-29T00:00:00.000Z'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
  ])('may be written as %s', async (text, same) => {
    for (const { dto, problems } of [
      await judged(Form, { at: text }),
      await judged(Form, { at: text }, 'query'),
    ])
      expect([problems, dto.at]).toEqual([[], new Date(same)]);
  });

  it.each([
    '',
    '2026-11-20',
    '2026-11-20T12:00:00',
    '2026-11-20 12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2026-11-31T12:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T23:59:61Z',
    '2026-11-20T12:00:00+24:00',
    '2026-11-20T12:00:00.0001Z',
    '+002026-11-20T12:00:00Z',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    'now',
  ])('may not be "%s"', async (text) => {
    const [problem, ...others] = (await judged(Form, { at: text })).problems;
    expect([problem?.code, others]).toEqual(['invalid_format', []]);
    expect(problem?.message).toMatch(/^must be an instant of RFC 3339/);
  });

  it.each<[unknown, string, string]>([
    [['2016-12-31T23:59:60Z'], 'invalid_type', EXPECTED],
    [7, 'invalid_type', EXPECTED],
    ['soon', 'invalid_format', EXPECTED],
    [
      '2016-12-31T23:59:60Z',
      'invalid_format',
      'must not be a leap second; send the second before or after it',
    ],
  ])('has an example in its error message: %j', async (at, code, message) => {
    expect((await judged(Form, { at })).problems).toEqual([{ path: ['at'], code, message }]);
  });

  it('in a list is a format error only if each item is a text', async () => {
    class Visits {
      @IsInstant({ each: true })
      at!: Date[];
    }
    const codesOf = async (...at: unknown[]) => {
      const { problems } = await judged(Visits, { at });
      return problems.map(({ path, code, message }) => [path.join('/'), code, message]);
    };
    expect(await codesOf('2026-11-20T12:00:00Z')).toEqual([]);
    expect(await codesOf('soon', '')).toEqual([['at', 'invalid_format', `each value ${EXPECTED}`]]);
    expect(await codesOf('soon', 7)).toEqual([['at', 'invalid_type', `each value ${EXPECTED}`]]);
  });
});
