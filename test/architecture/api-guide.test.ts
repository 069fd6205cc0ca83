import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROBLEM_CODES } from '../../src/kernel/domain-error.js';
import { readSettings } from '../../src/platform/config/settings.js';
import {
  DEFAULT_LIMIT,
  MAX_ADDRESS_LENGTH,
  MAX_DETAILS,
  MAX_HEADERS,
  MAX_LIMIT,
} from '../support/rooms/http.js';
import { BODY_LIMITS } from '../../src/platform/json/json-limits.js';
import { shownName } from '../../src/platform/json/shown-name.js';
import { readText } from '../support/read-text.js';

const GUIDE = readText(join(import.meta.dirname, '../../docs/api.md'));

/** The cells of the rows of a table, by the heading of its first column. */
const rowsOf = (head: string): string[][] => {
  const [, rows] = new RegExp(`^\\| ${head} +\\|.*\\n\\| -.*\\n((?:\\|.*\\n)+)`, 'm').exec(GUIDE)!;
  const lines = rows!.trimEnd().split('\n');
  return lines.map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| +| *\|?$/g, '')));
};

const settings = readSettings({ DATABASE_URL: 'sqlite::memory:' }, []);
const inText = (count: number) => count.toLocaleString('en-GB');
const limits: readonly [what: string, limit: string][] = [
  [
    'body, compressed and decompressed',
    `${settings.bodyLimit / 1024} KiB (${inText(settings.bodyLimit)} bytes)`,
  ],
  ['nesting of the body', `${BODY_LIMITS.depth} levels`],
  ['members of an object in the body', String(BODY_LIMITS.members)],
  ['JSON values in the body', inText(BODY_LIMITS.values)],
  ['problems in `details`', String(MAX_DETAILS)],
  [
    'a field or parameter name in an error',
    `${shownName('x'.repeat(1_000)).replace('…', '').length} characters`,
  ],
  ['URL: path and query', `${MAX_ADDRESS_LENGTH} bytes`],
  ['number of headers', String(MAX_HEADERS)],
  ['time between two requests of a connection', `${settings.keepAliveTimeout / 1_000} s`],
  ['requests in flight in one process', String(settings.maxInFlight)],
];

it.each(limits)('docs/api.md has the limit of the code for %s: %s', (what, limit) => {
  const [, shown] = rowsOf('What').find(([name]) => name === what) ?? [];
  expect(shown?.startsWith(limit), shown).toBe(true);
});

it('docs/api.md has the names that a body may not have, and the size of a page', () => {
  for (const name of BODY_LIMITS.refusedNames) expect(GUIDE).toContain(`\`${name}\``);
  expect(GUIDE).toContain(`from 1 to ${MAX_LIMIT}. The default is ${DEFAULT_LIMIT}.`);
});

it('docs/api.md explains each code of a detail', () => {
  const codes = rowsOf('`details\\[\\]\\.code`').map(([code]) => code!.replaceAll('`', ''));
  expect(codes.toSorted()).toEqual([...PROBLEM_CODES].toSorted());
});
