import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { readEnd, readId, readName, readScopes } from '../../../src/access/adapters/cli/keys.command.js';
import { readDuration, readRate } from '../../../src/platform/ops/cli/options.js';

const DAY = 86_400_000;

describe('the id of a key', () => {
  it.each([
    ['1', 1n],
    ['42', 42n],
    ['9007199254740993', 9_007_199_254_740_993n],
  ])('may be %s', (text, id) => expect(readId(text)).toBe(id));

  it.each(['', '0', '-1', '+1', '01', '1.0', '1e3', '0x1', ' 1', 'seven', '9223372036854775808'])(
    'may not be %j',
    (text) => expect(() => readId(text)).toThrow(InvalidArgumentError),
  );
});

describe('scopes', () => {
  it.each([
    ['pets:read', ['pets:read']],
    ['pets:read,pets:write', ['pets:read', 'pets:write']],
    ['pet-shop2:write', ['pet-shop2:write']],
    ['pets:read,pets:write,pets:read', ['pets:read', 'pets:write']],
  ])('may be %s', (text, scopes) => expect(readScopes(text)).toEqual(scopes));

  it('are twenty at most', () => {
    const scopes = Array.from({ length: 21 }, (_, i) => `area${i}:read`);
    expect(readScopes(scopes.slice(1).join())).toHaveLength(20);
    expect(() => readScopes(scopes.join())).toThrow(InvalidArgumentError);
  });
});

describe('a duration', () => {
  it.each([
    ['10s', 10_000],
    ['30m', 1_800_000],
    ['24h', DAY],
    ['90d', 90 * DAY],
    ['0s', 0],
    ['999999d', 999_999 * DAY],
  ])('may be %s', (text, milliseconds) => expect(readDuration(text)).toBe(milliseconds));

  it.each(['', '90', 'd', '-1d', '1.5h', '1w', '24H', '24 h', ' 24h', '24h\n', '1d12h', '1000000d'])(
    'may not be %j',
    (text) => expect(() => readDuration(text)).toThrow(InvalidArgumentError),
  );
});

describe('the end of a key', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const read = (text: string) => {
    const end = readEnd(text, now);
    return 'at' in end ? end.at : now + end.in;
  };

  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2027-01-01', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['9999-12-31', '9999-12-31T00:00:00.000Z'],
    ['90d', '2027-02-18T12:00:00.000Z'],
    ['1s', '2026-11-20T12:00:01.000Z'],
  ])('may be %s', (text, end) => expect(new Date(read(text)).toISOString()).toBe(end));

  it.each(['2026-11-20', '2026-11-19', '1970-01-01'])('may not be a day that has come: %s', (text) => {
    expect(() => read(text)).toThrow('This day is in the past.');
  });

  it.each(['2027-13-01', '2027-00-10', '2027-01-00', '2027-01-32', '2027-02-29', '2027-02-30', '2027-04-31'])(
    'may not be a day that does not exist: %s',
    (text) => expect(() => read(text)).toThrow('This day does not exist.'),
  );

  it.each(['', 'tomorrow', '2027-1-1', '2027-01-01T00:00:00Z', '+002027-01-01'])('may not be %j', (text) =>
    expect(() => read(text)).toThrow(InvalidArgumentError),
  );
});

describe('the rate of a key', () => {
  it('may be 100/s', () => expect(readRate('100/s')).toEqual({ limit: 100, seconds: 1 }));

  it.each(['', '100', '0/s', 'unlimited'])('may not be %j', (text) => {
    expect(() => readRate(text)).toThrow(InvalidArgumentError);
    expect(() => readRate(text)).toThrow('such as 100/s, 600/m or 5000/h');
  });
});

describe('the name of a key', () => {
  it.each(['a', 'shop window', 'Zoë & 猫 🐈', 'I ❤️ cats', 'חתול', 'x'.repeat(255)])('may be %s', (text) => {
    expect(readName(text)).toBe(text);
  });

  it.each(['', ' ', 'x'.repeat(256), 'two\nlines', 'pay\u202Ecnuol', 'tag\u{E0041}', 'half \uD83D'])(
    'may not be %j',
    (text) => expect(() => readName(text)).toThrow(InvalidArgumentError),
  );
});
