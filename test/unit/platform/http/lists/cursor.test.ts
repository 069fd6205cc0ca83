import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Position } from '../../../../../src/kernel/page.js';
import { StoredInstant } from '../../../../../src/kernel/stored-instant.js';
import { ApiException } from '../../../../../src/platform/http/index.js';
import { type CursorScope, decodeCursor, encodeCursor } from '../../../../support/rooms/http.js';
import { anyText } from '../../../../support/any-text.js';

type SortKind = NonNullable<CursorScope['kind']>;

const sold: CursorScope = { list: '/pets', filter: 'status=sold' };
const due: CursorScope = { list: '/visits', filter: 'sort=due', kind: 'instant' };
const named: CursorScope = { list: '/visits', filter: 'sort=name', kind: 'text' };
const MADE: [CursorScope, string][] = [
  [sold, encodeCursor(sold, { id: 4211n })],
  [due, encodeCursor(due, { id: 4211n, value: new Date('2026-11-20T12:00:00.001Z') })],
  [due, encodeCursor(due, { id: 4211n, value: null })],
  [named, encodeCursor(named, { id: 4211n, value: 'Old "Shep"' })],
];
const [, cursor] = MADE[0]!;

const isRejected = (text: string, scope: CursorScope): boolean => {
  try {
    decodeCursor(text, scope);
    return false;
  } catch (error) {
    return error instanceof ApiException && error.code === 'invalid_cursor';
  }
};

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const ALPHABET = [...BASE64URL, '=', '+', '/', ' ', '%', 'é'];

const id = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });
const VALUES: Record<SortKind, fc.Arbitrary<Position['value']>> = {
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  instant: fc.date({ noInvalidDate: true }),
  day: fc
    .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  text: anyText(),
  word: fc.string({ unit: 'grapheme-ascii' }),
};

describe('a cursor', () => {
  it('leads back to its position, whatever the list and its filter', () => {
    const path = fc.string({ unit: fc.constantFrom(...'/a.%é ') }).map((value) => `/${value}`);
    const filter = fc.string({ unit: fc.constantFrom(...' =&%é🐶') }).map((value) => `name=${value}`);
    fc.assert(
      fc.property(path, filter, id, (list, filtered, after) => {
        const scope = { list, filter: filtered };
        expect(decodeCursor(encodeCursor(scope, { id: after }), scope)).toEqual({ id: after });
      }),
    );
  });

  it.each(Object.entries(VALUES) as [SortKind, fc.Arbitrary<Position['value']>][])(
    'contains a value of kind %s exactly, or null',
    (kind, values) => {
      const scope = { list: '/visits', filter: 'note=a b&sort=x', kind };
      fc.assert(
        fc.property(id, fc.oneof(values, fc.constant(null)), (after, value) => {
          const text = encodeCursor(scope, { id: after, value });
          expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
          expect(decodeCursor(text, scope)).toEqual({ id: after, value });
        }),
      );
    },
  );

  it('contains a 64-bit integer that TypeORM returns as a text', () => {
    const scope = { list: '/visits', filter: '', kind: 'int64' } as const;
    const text = encodeCursor(scope, { id: 1n, value: '9223372036854775807' });
    expect(decodeCursor(text, scope)).toEqual({ id: 1n, value: 2n ** 63n - 1n });
  });

  it('of a list that is sorted by id is the same as in version 1.0', () => {
    const text = 'MTE3NzY2MTgxMSAxIDQyMTEgL3BldHMgc3RhdHVzPXNvbGQ';
    expect([cursor, decodeCursor(text, sold)]).toStrictEqual([text, { id: 4211n }]);
  });

  it.each(['2026-11-29 12:46:02', '2026-11-29 12:46:02.000', '2026-11-29 12:46:02.123456'])(
    'contains an instant as the database has it: %s',
    (text) => {
      const value = StoredInstant.of(text);
      const position = decodeCursor(encodeCursor(due, { id: 1n, value: value! }), due);
      expect(position).toEqual({ id: 1n, value });
      expect((position.value as StoredInstant).text).toBe(text);
    },
  );

  it.each(['', 'now', '2026-02-31 00:00:00', '2026-11-29T12:46:02Z', '2026-11-29 12:46:02.1234567'])(
    'contains no text that is not an instant: "%s"',
    (text) => {
      expect(StoredInstant.of(text)).toBeUndefined();
      expect(isRejected(encodeCursor({ ...due, kind: 'text' }, { id: 1n, value: text }), due)).toBe(true);
    },
  );

  it('of an instant in milliseconds is the same as in version 2.0', () => {
    const text = 'OTIyMzI1MDU4IDIgNDIxMSAxNzk1MTc2MDAwMDAxIC92aXNpdHMgc29ydD1kdWU';
    const place = { id: 4211n, value: new Date('2026-11-20T12:00:00.001Z') };
    expect([encodeCursor(due, place), decodeCursor(text, due)]).toStrictEqual([text, place]);
  });

  it.each(MADE)('is rejected with any one character changed or left out: %o', (scope, made) => {
    const passed = [...made].flatMap((_, at) =>
      [...ALPHABET, '']
        .map((character) => made.slice(0, at) + character + made.slice(at + 1))
        .filter((altered) => altered !== made && !isRejected(altered, scope)),
    );
    expect(passed).toEqual([]);
  });

  it.each(['', 'abc', '4211', '💥', Buffer.from('1 /pets status=sold 4211 0').toString('base64url')])(
    'cannot be written by hand: "%s"',
    (text) => expect([sold, due, named].map((scope) => isRejected(text, scope))).toEqual([true, true, true]),
  );

  it.each([0n, -1n, -(2n ** 63n), 2n ** 63n, 10n ** 40n])('contains a valid id, never %s', (after) => {
    expect(isRejected(encodeCursor(sold, { id: after }), sold)).toBe(true);
    expect(isRejected(encodeCursor(due, { id: after, value: new Date(0) }), due)).toBe(true);
  });

  it.each<[SortKind, Position['value']]>([
    ['int64', 2n ** 63n],
    ['int64', 'one'],
    ['int64', 1.5],
    ['instant', 8_640_000_000_000_001n],
    ['instant', 'now'],
    ['instant', new Date(Number.NaN)],
    ['text', 7n],
    ['day', 'monday'],
    ['day', 7n],
    ['day', '2026-02-31'],
    ['word', 'é'],
    ['word', '\0'],
  ])('contains a value of kind %s, never %o', (kind, value) => {
    const scope = { ...due, kind };
    expect(isRejected(encodeCursor(scope, { id: 1n, value }), scope)).toBe(true);
  });

  it.each<[string, CursorScope]>([
    ['list', { ...sold, list: '/store/orders' }],
    ['filter', { ...sold, filter: '' }],
    ['status', { ...sold, filter: 'status=available' }],
    ['order', { ...sold, filter: 'status=sold&sort=due', kind: 'instant' }],
  ])('is rejected with another %s', (_, other) => {
    expect(isRejected(cursor, other)).toBe(true);
    expect(isRejected(encodeCursor(other, { id: 1n }), sold)).toBe(true);
  });

  it('is rejected in a message that says where to get another', () => {
    const message =
      'does not belong to this list and filter; take it unchanged from a Link header of the same list';
    const details = [{ field: 'query.cursor', code: 'invalid_value', message }];
    expect(() => decodeCursor('abc', sold)).toThrow(
      expect.objectContaining({ answer: expect.objectContaining({ details }) as object }) as Error,
    );
  });
});
