import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiException } from '../../../../../src/platform/http/errors/api-exception.js';
import { decodeCursor, encodeCursor } from '../../../../../src/platform/http/paging/pager.js';

const decoded = { list: '/pets', filter: 'status=sold', after: 4211n };
const cursor = encodeCursor(decoded);
const read = (text: string) => decodeCursor(text, decoded.list, decoded.filter);
const isRejected = (text: string): boolean => {
  try {
    read(text);
    return false;
  } catch (error) {
    return error instanceof ApiException && error.code === 'invalid_cursor';
  }
};

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const ALPHABET = [...BASE64URL, '=', '+', '/', ' ', '%', 'é'];

describe('a cursor', () => {
  it('leads back to where it was made, whatever the list and its filter', () => {
    const id = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });
    const filter = fc.string({ unit: fc.constantFrom(...' =&%é🐶') }).map((value) => `name=${value}`);
    fc.assert(
      fc.property(fc.webPath({ size: 'small' }), filter, id, (list, filtered, after) => {
        expect(decodeCursor(encodeCursor({ list, filter: filtered, after }), list, filtered)).toBe(after);
      }),
    );
  });

  it('leads on in a list that is not filtered', () => {
    expect(decodeCursor(encodeCursor({ ...decoded, filter: '' }), '/pets', '')).toBe(4211n);
  });

  it('leads on after a pet whose name has spaces', () => {
    const filter = 'name=Old Shep';
    expect(decodeCursor(encodeCursor({ ...decoded, filter }), '/pets', filter)).toBe(4211n);
  });

  it('can stand in an address as it is', () => {
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it('is rejected with any one character altered', () => {
    const passed = [...cursor].flatMap((_, at) =>
      ALPHABET.map((character) => cursor.slice(0, at) + character + cursor.slice(at + 1)).filter(
        (altered) => altered !== cursor && !isRejected(altered),
      ),
    );
    expect(passed).toEqual([]);
  });

  it('is rejected with any one character left out', () => {
    const shortened = [...cursor].map((_, at) => cursor.slice(0, at) + cursor.slice(at + 1));
    expect(shortened.filter((text) => !isRejected(text))).toEqual([]);
  });

  it('is rejected with any one character added', () => {
    const passed = [...cursor, ''].flatMap((_, at) =>
      ALPHABET.map((character) => cursor.slice(0, at) + character + cursor.slice(at)).filter(
        (altered) => !isRejected(altered),
      ),
    );
    expect(passed).toEqual([]);
  });

  it.each(['', 'abc', '4211', '💥', Buffer.from('1 /pets status=sold 4211 0').toString('base64url')])(
    'is not made by hand: "%s"',
    (text) => expect(isRejected(text)).toBe(true),
  );

  it.each([0n, -1n, -(2n ** 63n), 2n ** 63n, 10n ** 40n])('holds a position: never %s', (after) => {
    expect(isRejected(encodeCursor({ ...decoded, after }))).toBe(true);
  });

  it('is rejected in another list', () => {
    expect(() => decodeCursor(cursor, '/store/orders', decoded.filter)).toThrow(ApiException);
  });

  it.each(['', 'status=available'])('is rejected with another filter: "%s"', (filter) => {
    expect(() => decodeCursor(cursor, decoded.list, filter)).toThrow(ApiException);
  });

  it('is rejected in a message that says where to get another', () => {
    expect(() => read('abc')).toThrow(/Link header/);
  });
});
