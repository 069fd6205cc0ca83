import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Response } from 'express';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../../src/platform/config/read-settings.js';
import { Links } from '../../../../../src/platform/http/links.js';
import { PageQuery } from '../../../../../src/platform/http/paging/page.query.js';
import { cursorAfter, type Listing, Pager } from '../../../../../src/platform/http/paging/pager.js';

const pager = new Pager(new Links(readSettings({})));
const sold: Listing = { path: '/pets', filter: { status: 'sold' } };
const all: Listing = { path: '/pets', filter: {} };
const queryOf = (parameters: Partial<PageQuery>) => Object.assign(new PageQuery(), parameters);

function linkOf(listing: Listing, query: PageQuery, next?: bigint): string {
  const response = new ServerResponse(new IncomingMessage(new Socket())) as Response;
  pager.announce(response, listing, query, next);
  return response.getHeader('Link') as string;
}

describe('the links of a page', () => {
  it('lead to the next page and to the first, filtered and limited alike', () => {
    const cursor = cursorAfter(sold, 7n);
    expect(linkOf(sold, queryOf({ limit: '5' }), 7n)).toBe(
      `</v1/pets?status=sold&limit=5&cursor=${cursor}>; rel="next", </v1/pets?status=sold&limit=5>; rel="first"`,
    );
  });

  it('lead only to the first from the last page', () => {
    expect(linkOf(sold, queryOf({ cursor: cursorAfter(sold, 9n) }))).toBe(
      '</v1/pets?status=sold>; rel="first"',
    );
  });

  it('say nothing of a filter that nobody chose', () => {
    const unfiltered = { path: '/pets', filter: { status: undefined } };
    expect(linkOf(unfiltered, queryOf({}), 7n)).toBe(linkOf(all, queryOf({}), 7n));
  });

  it('say no more than the client did', () => {
    expect(linkOf(all, queryOf({}))).toBe('</v1/pets>; rel="first"');
  });
});

describe('the beginning of a page', () => {
  it('is the newest item when no cursor came', () => {
    expect(pager.before(sold, queryOf({}))).toBeUndefined();
  });

  it('is where the link of the page before led', () => {
    const [, cursor] = /cursor=([^>&]+)/.exec(linkOf(sold, queryOf({ limit: '5' }), 7n)) ?? [];
    expect(pager.before(sold, queryOf({ cursor: cursor! }))).toBe(7n);
  });

  it('stays the same when the client wants longer pages from now on', () => {
    const cursor = cursorAfter(sold, 7n);
    expect(pager.before(sold, queryOf({ cursor, limit: '100' }))).toBe(7n);
  });

  it.each<[string, Listing]>([
    ['another status', { path: '/pets', filter: { status: 'available' } }],
    ['another filter of the same value', { path: '/pets', filter: { colour: 'sold' } }],
    ['no filter', all],
    ['another list', { ...sold, path: '/store/orders' }],
  ])('is refused with the cursor of %s', (_, foreign) => {
    expect(() => pager.before(sold, queryOf({ cursor: cursorAfter(foreign, 7n) }))).toThrow(
      expect.objectContaining({ code: 'invalid_cursor' }) as Error,
    );
  });
});
