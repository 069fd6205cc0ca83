import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeJson } from '../../../../src/platform/json/write-json.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe('a response as JSON', () => {
  it('equals what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => void expect(writeJson(value)).toBe(JSON.stringify(value))),
    );
  });

  it('has every 64-bit integer with all its digits', () => {
    fc.assert(fc.property(int64, (id) => void expect(writeJson({ id })).toBe(`{"id":${id}}`)));
  });

  it('omits values that JSON does not have, as JSON.stringify does', () => {
    class Thing {
      constructor(public a = 1) {}
      protected work = () => 1;
    }
    const inherited = Object.assign(Object.create({ b: 2 }) as object, { a: 1 });
    const nothing = { toJSON: () => undefined };
    const values = [
      new Thing(),
      inherited,
      [undefined, () => 1, Symbol('s'), nothing],
      { a: nothing, b: Symbol('s'), c: undefined },
    ];
    for (const value of values) expect(writeJson(value)).toBe(JSON.stringify(value));
    for (const value of [undefined, () => 1, nothing]) expect(writeJson(value)).toBe('null');
  });

  it('does not keep names in memory that clients may have invented', () => {
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const write = (times: number) => {
      for (let i = 0; i < times; i++)
        writeJson({ [`${i} ${'x'.repeat(1_000)}`]: 1, [`${i}`.padEnd(60, 'y')]: 1 });
    };
    write(2_000);
    const before = heap();
    write(20_000);
    expect(heap() - before).toBeLessThan(4_000_000);
  });

  it('escapes names as well as values', () => {
    expect(writeJson({ 'a"\n': '\u0000"' })).toBe(String.raw`{"a\"\n":"\u0000\""}`);
  });

  it('is well-formed even if a text in it is malformed', () => {
    expect(writeJson('Rex \ud83d')).toBe(String.raw`"Rex \ud83d"`);
  });
});
