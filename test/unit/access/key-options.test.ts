import { InvalidArgumentError } from 'commander';
import { expect, it } from 'vitest';
import { readEnd, readId, readName, readScopes } from '../../../src/access/adapters/cli/keys.command.js';
import { readDuration, readRate } from '../../../src/platform/ops/cli/options.js';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-20T12:00:00Z');
const readTime = (text: string) => {
  const end = readEnd(text, NOW);
  return new Date('at' in end ? end.at : NOW + end.in).toISOString();
};
const areas = (count: number) => Array.from({ length: count }, (_, i) => `area${i}:read`);
const NAMES = ['a', 'shop window', 'Zoë & 猫 🐈', 'I ❤️ cats', 'חתול', 'x'.repeat(255)];

it.each<[string, (text: string) => unknown, [text: string, value: unknown][]]>([
  ['The id of a key', readId, ['1', '42', '9007199254740993'].map((id) => [id, BigInt(id)])],
  [
    'A list of scopes, twenty at most,',
    readScopes,
    [
      ['pets:read', ['pets:read']],
      ['pet-shop2:write', ['pet-shop2:write']],
      ['pets:read,pets:write,pets:read', ['pets:read', 'pets:write']],
      [areas(20).join(), areas(20)],
    ],
  ],
  [
    'A duration',
    readDuration,
    [
      ['10s', 10_000],
      ['30m', 1_800_000],
      ['24h', DAY],
      ['0s', 0],
      ['999999d', 999_999 * DAY],
    ],
  ],
  [
    'The end of a key',
    readTime,
    [
      ['2026-11-21', '2026-11-21T00:00:00.000Z'],
      ['2028-02-29', '2028-02-29T00:00:00.000Z'],
      ['9999-12-31', '9999-12-31T00:00:00.000Z'],
      ['90d', '2027-02-18T12:00:00.000Z'],
    ],
  ],
  ['The rate of a key', readRate, [['100/s', { limit: 100, seconds: 1 }]]],
  ['The name of a key', readName, NAMES.map((name) => [name, name])],
])('%s is read from the words of an option', (_, read, good) => {
  for (const [text, value] of good) expect([text, read(text)]).toEqual([text, value]);
});

it.each<[string, (text: string) => unknown, bad: string[], says: string]>([
  [
    'id',
    readId,
    ['', '0', '-1', '+1', '01', '1.0', '1e3', '0x1', ' 1', 'seven', '9223372036854775808'],
    'a whole number above 0',
  ],
  ['list of scopes', readScopes, [areas(21).join()], 'at most 20 scopes'],
  [
    'duration',
    readDuration,
    ['', '90', 'd', '-1d', '1.5h', '1w', '24H', ' 24h', '24h\n', '1d12h', '1000000d'],
    'Durations look like',
  ],
  ['end', readTime, ['2026-11-20', '2026-11-19', '1970-01-01'], 'This day is in the past.'],
  ['end', readTime, ['2027-13-01', '2027-00-10', '2027-01-32', '2027-02-29'], 'This day does not exist.'],
  [
    'end',
    readTime,
    ['', 'tomorrow', '2027-1-1', '2027-01-01T00:00:00Z', '+002027-01-01'],
    'Durations look like',
  ],
  ['rate', readRate, ['', '100', '0/s', 'unlimited'], 'such as 100/s, 600/m or 5000/h'],
  [
    'name',
    readName,
    ['', ' ', 'x'.repeat(256), 'two\nlines', 'pay\u202Ecnuol', 'tag\u{E0041}', 'half \uD83D'],
    'A name has 1 to 255 characters',
  ],
])('No %s is read from other words', (_, read, bad, says) => {
  for (const text of bad) {
    expect(() => read(text), text).toThrow(InvalidArgumentError);
    expect(() => read(text), text).toThrow(says);
  }
});
