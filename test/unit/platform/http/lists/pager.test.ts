import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { IsInt, IsISO8601, IsString } from 'class-validator';
import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import type { Position, Selection } from '../../../../../src/kernel/page.js';
import { readSettings } from '../../../../../src/platform/config/settings.js';
import { writeJson } from '../../../../../src/platform/json/write-json.js';
import { Links, Pager } from '../../../../support/rooms/http.js';
import {
  cursorAfter,
  type ListOptions,
  MayBeAbsent,
  PageQuery,
  SortField,
} from '../../../../../src/platform/http/index.js';

const VISIT_LIST = {
  sort: { due: 'instant', name: 'text' },
  ranges: { due: { from: 'dueFrom', before: 'dueBefore' } },
  notFilters: ['day'],
} satisfies ListOptions<VisitsQuery>;

class VisitsQuery extends PageQuery {
  @IsString()
  @MayBeAbsent()
  status?: string;

  @SortField(VISIT_LIST.sort)
  sort?: string;

  @IsISO8601()
  dueFrom?: Date;

  @IsISO8601()
  dueBefore?: Date;

  @IsInt()
  @MayBeAbsent()
  petId?: bigint;

  @IsString()
  @MayBeAbsent()
  day?: string;
}

const BASE = 'http://127.0.0.1:3000/v1';
const links = new Links(readSettings({}));
const pager = new Pager(links);
const queryOf = (parameters: Partial<VisitsQuery>): VisitsQuery =>
  Object.assign(Object.create(VisitsQuery.prototype) as VisitsQuery, parameters);
const sold = { status: 'sold' };
const [may, june] = [new Date('2026-05-01T00:00:00Z'), new Date('2026-06-01T00:00:00Z')];

/** A request to a list, with its response, as Express makes them. */
function requestFor(path: string): Request {
  const message = new IncomingMessage(new Socket());
  return Object.assign(message, {
    path: `/v1${path}`,
    res: new ServerResponse(message),
  }) as unknown as Request;
}

/** Responds to a request for a page after which the list continues at `next`. */
async function answer(query: Partial<VisitsQuery>, next?: Position, path = '/visits') {
  const request = requestFor(path);
  let asked: Selection<object> | undefined;
  const read = (selection: Selection<object>) => {
    asked = selection;
    return Promise.resolve({ items: [{ id: 9n }, { id: 8n }], next });
  };
  const page = pager.transform(request, {});
  const body = await page(queryOf(query), read, ({ id }) => ({ id, name: 'Rex' }), VISIT_LIST);
  return { link: request.res!.getHeader('Link') as string, text: writeJson(body), asked: asked! };
}
const linkOf = async (query: Partial<VisitsQuery>, next?: Position) => (await answer(query, next)).link;
const nextCursor = async (query: Partial<VisitsQuery>, next: Position) =>
  /cursor=([^>&]+)/.exec(await linkOf(query, next))![1]!;

describe('a page', () => {
  it('contains the items that were read, as JSON, up to the limit', async () => {
    const { text, asked } = await answer({ ...sold, limit: 5 });
    expect(text).toBe('[{"id":9,"name":"Rex"},{"id":8,"name":"Rex"}]');
    expect(asked).toEqual({ filter: sold, limit: 5 });
  });

  it('is read with every field of its query', async () => {
    const { asked } = await answer({
      petId: 7n,
      dueBefore: june,
      sort: '-due',
      status: 'sold',
      dueFrom: may,
    });
    expect(asked).toEqual({
      filter: { petId: 7n, status: 'sold' },
      sort: { by: 'due', descending: true },
      range: { from: may, before: june },
      limit: 20,
    });
  });

  it.each([
    ['due', { by: 'due', descending: false }],
    ['-name', { by: 'name', descending: true }],
    ['id', { by: 'id', descending: false }],
  ])('is sorted by %s in that direction, whichever field the handler reads itself', async (sort, order) => {
    const { asked, link } = await answer({ sort, day: 'monday' });
    expect(asked).toEqual({ filter: {}, sort: order, limit: 20 });
    expect(link).toBe(`<${BASE}/visits?sort=${sort}&day=monday>; rel="first"`);
  });

  it.each(['name', '-id'])('of a range cannot be sorted by %s', async (sort) => {
    const message = 'is for a list that is sorted by due; send sort=due or sort=-due';
    const details = [{ field: 'query.dueFrom', code: 'invalid_value', message }];
    await expect(answer({ dueFrom: may, sort })).rejects.toMatchObject({
      answer: { code: 'invalid_parameter', message: `query.dueFrom ${message}.`, details },
    });
  });
});

describe('the links of a page', () => {
  it('lead to the next page and to the first one, with the same filter and limit', async () => {
    const cursor = cursorAfter('/visits', sold, 7n);
    expect(await linkOf({ limit: 5, status: 'sold' }, { id: 7n })).toBe(
      `<${BASE}/visits?status=sold&limit=5&cursor=${cursor}>; rel="next", <${BASE}/visits?status=sold&limit=5>; rel="first"`,
    );
  });

  it('have their parameters in the declared order', async () => {
    const link = await linkOf({ limit: 5, petId: 7n, dueFrom: may, sort: 'due', status: 'a&b=c d' });
    expect(link).toBe(
      `<${BASE}/visits?status=a%26b%3Dc%20d&sort=due&dueFrom=2026-05-01T00%3A00%3A00.000Z&petId=7&limit=5>; rel="first"`,
    );
  });

  it('lead only to the first page from the last page', async () => {
    const cursor = cursorAfter('/visits', sold, 9n);
    expect(await linkOf({ ...sold, cursor })).toBe(`<${BASE}/visits?status=sold>; rel="first"`);
  });

  it('cannot be broken by a part of the path', async () => {
    const { link } = await answer({}, undefined, '/of/a>;b"/visits');
    expect(link).toBe(`<${BASE}/of/a%3E;b%22/visits>; rel="first"`);
  });

  it('contain only parameters that the client sent', async () => {
    expect(await linkOf({})).toBe(`<${BASE}/visits>; rel="first"`);
    const cursor = cursorAfter('/visits', {}, 7n);
    expect(await linkOf({}, { id: 7n })).toBe(
      `<${BASE}/visits?cursor=${cursor}>; rel="next", <${BASE}/visits>; rel="first"`,
    );
    expect(await linkOf({ status: undefined }, { id: 7n })).toBe(await linkOf({}, { id: 7n }));
  });
});

it.each<[string, Position['value']]>([
  ['name', 0.5],
  ['name', true as never],
  ['due', 'now'],
])(
  'a page with a next one cannot be sorted by %s whose value is %o, because no cursor could have it',
  (sort, value) =>
    expect(answer({ sort }, { id: 7n, value })).rejects.toThrow(
      /^A list is sorted by a column whose values are not (?:text|instant): name its kind in the option sort/,
    ),
);

describe('the beginning of a page', () => {
  it.each<[Partial<VisitsQuery>, Position]>([
    [sold, { id: 7n }],
    [{ sort: 'id' }, { id: 7n }],
    [{ sort: '-due' }, { id: 7n, value: may }],
    [
      { sort: 'due', dueFrom: may },
      { id: 7n, value: null },
    ],
    [
      { sort: 'name', status: 'a b&c' },
      { id: 7n, value: 'Old Shep' },
    ],
  ])('is the position in the link of the previous page: %o', async (query, place) => {
    const cursor = await nextCursor({ ...query, limit: 5 }, place);
    expect((await answer({ ...query, cursor, limit: 5 })).asked.after).toEqual(place);
    expect((await answer({ ...query, cursor, limit: 100 })).asked.after).toEqual(place);
  });

  it.each<[string, Partial<VisitsQuery>]>([
    ['another status', { status: 'available' }],
    ['no filter', {}],
    ['a range', { status: 'sold', dueFrom: may }],
  ])('is rejected with the cursor of %s', async (_, foreign) => {
    const cursor = await nextCursor(foreign, { id: 7n, value: may });
    await expect(answer({ ...sold, cursor })).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_cursor' }) as Error,
    );
  });
});

describe('shared pages that are requested at the same time', () => {
  const pages: [path: string, query: Partial<VisitsQuery>][] = [
    ['/visits', {}],
    ['/visits', sold],
    ['/visits', { ...sold, limit: 5 }],
    ['/visits', { ...sold, cursor: cursorAfter('/visits', sold, 7n) }],
    ['/visits', { ...sold, cursor: cursorAfter('/visits', sold, 8n) }],
    ['/visits', { ...sold, sort: 'due' }],
    ['/visits', { ...sold, petId: 7n }],
    ['/visits', { status: 'sold&petId=7' }],
    ['/visits', { dueFrom: may }],
    ['/visits', { dueFrom: june }],
    ['/store/orders', sold],
  ];

  it('are read once if they are equal, and separately if they differ', async () => {
    let readings = 0;
    const shared = new Pager(links);
    const ask = ([path, query]: (typeof pages)[number], i: number) => {
      const read = async () => ({ items: [i % pages.length], number: (readings += 1) });
      const page = shared.transform(requestFor(path), { data: 'shared' });
      return page(queryOf(query), read, (item) => ({ item }), VISIT_LIST);
    };
    const bodies = await Promise.all([...pages, ...pages, ...pages].map(ask));
    expect(bodies.map(writeJson)).toEqual(bodies.map((_, i) => `[{"item":${i % pages.length}}]`));
    expect(readings).toBe(pages.length);
  });
});

describe('pages of a list that shares no pages', () => {
  it('are read for each request', async () => {
    let readings = 0;
    const read = async () => ({ items: [(readings += 1)] });
    const ask = () => pager.transform(requestFor('/visits'), {})(queryOf(sold), read, (item) => ({ item }));
    const bodies = await Promise.all([ask(), ask(), ask()]);
    expect(bodies.map(writeJson)).toEqual(['[{"item":1}]', '[{"item":2}]', '[{"item":3}]']);
  });
});
