import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRate, parseRate, RATE_FORM } from '../../../src/kernel/rate.js';

describe('a rate', () => {
  it.each([
    ['100/s', 100, 1],
    ['600/m', 600, 60],
    ['5000/h', 5_000, 3_600],
    ['1/s', 1, 1],
    ['999999999/h', 999_999_999, 3_600],
  ])('may be %s', (text, limit, seconds) => {
    expect(parseRate(text)).toEqual({ limit, seconds });
  });

  it.each(
    '100 /s 0/s -1/s +1/s 1.5/s 1e3/s 010/s 1000000000/s 10/d 10/S 10/min 10/s,5/h 10/1s ١/s'
      .split(' ')
      .concat('', '10 / s', ' 10/s', '10/s ', '10/s\n'),
  )('may not be %j', (text) => expect(parseRate(text)).toBeUndefined());

  it('is written as it is read', () => {
    const rates = fc.record({
      limit: fc.integer({ min: 1, max: 999_999_999 }),
      seconds: fc.constantFrom(1, 60, 3_600),
    });
    fc.assert(
      fc.property(rates, (rate) => {
        expect(parseRate(formatRate(rate))).toEqual(rate);
      }),
    );
  });

  it('has the form of the examples in its error message', () => {
    const examples = RATE_FORM.match(/\d+\/\w/g)!;
    expect(examples.map((text) => formatRate(parseRate(text)!))).toEqual(['100/s', '600/m', '5000/h']);
  });
});
