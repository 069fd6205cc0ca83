import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Response } from 'express';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../../src/platform/config/settings.js';
import { Links } from '../../../../../src/platform/http/links.js';
import { PageQuery } from '../../../../../src/platform/http/paging/page.query.js';
import {
  type Collection,
  cursorAfter,
  Pager,
  type PageRequest,
} from '../../../../../src/platform/http/paging/pager.js';

const pager = new Pager(new Links(readSettings({})));
const sold: Collection = { path: '/pets', filter: { status: 'sold' } };
const all: Collection = { path: '/pets', filter: {} };
const queryOf = (parameters: Partial<PageQuery>) => Object.assign(new PageQuery(), parameters);

/** Answers a request for a page after which the list goes on with `next`. */
async function answer(collection: Collection, query: PageQuery, next?: bigint) {
  const response = new ServerResponse(new IncomingMessage(new Socket())) as Response;
  let asked: PageRequest | undefined;
  const read = (page: PageRequest) => {
    asked = page;
    return Promise.resolve({ items: [{ id: 9n }, { id: 8n }], next });
  };
  const body = await pager.page(response, collection, query, read, ({ id }) => ({ id, name: 'Rex' }));
  return { link: response.getHeader('Link') as string, text: body.text, asked };
}
const linkOf = async (collection: Collection, query: PageQuery, next?: bigint) =>
  (await answer(collection, query, next)).link;
const beginning = async (collection: Collection, query: PageQuery) =>
  (await answer(collection, query)).asked!.before;

describe('a page', () => {
  it('is what was read, as JSON, and no more than was asked for', async () => {
    const { text, asked } = await answer(sold, queryOf({ limit: 5 }));
    expect(text).toBe('[{"id":9,"name":"Rex"},{"id":8,"name":"Rex"}]');
    expect(asked).toEqual({ before: undefined, limit: 5 });
  });
});

describe('the links of a page', () => {
  it('lead to the next page and to the first, filtered and limited alike', async () => {
    const cursor = cursorAfter(sold, 7n);
    expect(await linkOf(sold, queryOf({ limit: 5 }), 7n)).toBe(
      `</v1/pets?status=sold&limit=5&cursor=${cursor}>; rel="next", </v1/pets?status=sold&limit=5>; rel="first"`,
    );
  });

  it('lead only to the first from the last page', async () => {
    expect(await linkOf(sold, queryOf({ cursor: cursorAfter(sold, 9n) }))).toBe(
      '</v1/pets?status=sold>; rel="first"',
    );
  });

  it('say nothing of a filter that nobody chose', async () => {
    const unfiltered = { path: '/pets', filter: { status: undefined } };
    expect(await linkOf(unfiltered, queryOf({}), 7n)).toBe(await linkOf(all, queryOf({}), 7n));
  });

  it('say no more than the client did', async () => {
    expect(await linkOf(all, queryOf({}))).toBe('</v1/pets>; rel="first"');
  });
});

describe('the beginning of a page', () => {
  it('is the newest item when no cursor came', async () => {
    expect(await beginning(sold, queryOf({}))).toBeUndefined();
  });

  it('is where the link of the page before led', async () => {
    const [, cursor] = /cursor=([^>&]+)/.exec(await linkOf(sold, queryOf({ limit: 5 }), 7n)) ?? [];
    expect(await beginning(sold, queryOf({ cursor: cursor! }))).toBe(7n);
  });

  it('stays the same when the client wants longer pages from now on', async () => {
    const cursor = cursorAfter(sold, 7n);
    expect(await beginning(sold, queryOf({ cursor, limit: 100 }))).toBe(7n);
  });

  it.each<[string, Collection]>([
    ['another status', { path: '/pets', filter: { status: 'available' } }],
    ['another filter of the same value', { path: '/pets', filter: { colour: 'sold' } }],
    ['no filter', all],
    ['another list', { ...sold, path: '/store/orders' }],
  ])('is rejected with the cursor of %s', async (_, foreign) => {
    await expect(answer(sold, queryOf({ cursor: cursorAfter(foreign, 7n) }))).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_cursor' }) as Error,
    );
  });
});

describe('pages that are asked for at the same time', () => {
  const pages: [Collection, PageQuery][] = [
    [all, queryOf({})],
    [sold, queryOf({})],
    [sold, queryOf({ limit: 5 })],
    [sold, queryOf({ cursor: cursorAfter(sold, 7n) })],
    [sold, queryOf({ cursor: cursorAfter(sold, 8n) })],
    [{ ...sold, path: '/store/orders' }, queryOf({})],
  ];

  it('are read once if they are the same, and each by itself if they differ', async () => {
    let readings = 0;
    const ask = ([collection, query]: [Collection, PageQuery], i: number) => {
      const response = new ServerResponse(new IncomingMessage(new Socket())) as Response;
      const read = async () => ({ items: [i % pages.length], number: (readings += 1) });
      return pager.page(response, collection, query, read, (item) => ({ item }));
    };
    const bodies = await Promise.all([...pages, ...pages, ...pages].map(ask));
    expect(bodies.map(({ text }) => text)).toEqual(bodies.map((_, i) => `[{"item":${i % pages.length}}]`));
    expect(readings).toBe(pages.length);
  });
});
