import { Controller, Get, Module, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Position, Selection } from '../../../src/kernel/index.js';
import {
  cursorAfter,
  InstantField,
  Int64Field,
  type ListOptions,
  MayBeAbsent,
  Paged,
  PageQuery,
  type Paging,
  Public,
  SharedPages,
  SortField,
} from '../../../src/platform/http/index.js';
import { readCoalesced } from '../../../src/platform/observability/requests.js';
import { anyText } from '../../support/any-text.js';
import { sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { rawRequest } from '../../support/http/raw-request.js';
import { type Service, startService } from '../../support/service.js';
import { Recorder } from '../../support/site/recorder.js';

const SORT = { due: 'instant', name: 'text', weight: 'int64' } as const;
const INSTANT = { description: 'When.', example: '2026-05-01T00:00:00.000Z', optional: true };
const INTEGER = { description: 'How much.', example: 7, optional: true };

class TaggedQuery extends PageQuery {
  @IsString()
  @MayBeAbsent()
  status?: string;
}

/** Its own fields come first in links, then those of the class that it extends. */
class VisitsQuery extends TaggedQuery {
  @SortField(SORT)
  sort?: string;

  @InstantField(INSTANT)
  dueBefore?: Date;

  @InstantField(INSTANT)
  dueFrom?: Date;

  @Int64Field(INTEGER)
  maxWeight?: bigint;

  @Int64Field(INTEGER)
  minWeight?: bigint;

  @Int64Field(INTEGER)
  petId?: bigint;

  @IsString()
  @MayBeAbsent()
  day?: string;
}

const VISIT_LIST = {
  sort: SORT,
  ranges: {
    due: { from: 'dueFrom', before: 'dueBefore' },
    weight: { from: 'minWeight', before: 'maxWeight' },
  },
  notFilters: ['day'],
} satisfies ListOptions<VisitsQuery>;

// @ts-expect-error -- the query has no field minSize
void ({ ranges: { weight: { from: 'minSize' } } } satisfies ListOptions<VisitsQuery>);

interface Visit {
  readonly number: number;
}

@Public()
@ApiExcludeController()
@Controller(['visits', 'of/:who/visits'])
class VisitsController {
  /** What the reads were asked for. */
  readonly asked: Selection<object>[] = [];
  /** The position after which the list continues. */
  next: Position | undefined;
  /** Reads end after this. */
  gate: Promise<void> | undefined;

  readonly #read = async (selection: Selection<object>) => {
    const number = this.asked.push(selection);
    await this.gate;
    return { items: [{ number, secret: 'x' }], ...(this.next && { next: this.next }) };
  };

  @Get()
  list(@Query() query: VisitsQuery, @Paged() page: Paging) {
    return page(query, this.#read, toBody, VISIT_LIST);
  }

  @Get('shared')
  shared(@Query() query: VisitsQuery, @SharedPages() page: Paging) {
    return page(query, this.#read, toBody, VISIT_LIST);
  }

  @Get('also-shared')
  alsoShared(@Query() query: VisitsQuery, @SharedPages() page: Paging) {
    return page(query, this.#read, toBody, VISIT_LIST);
  }

  @Get('without-kinds')
  withoutKinds(@Query() query: VisitsQuery, @Paged() page: Paging) {
    return page(query, this.#read, toBody);
  }
}

const toBody = ({ number }: Visit) => ({ number });

@Module({ controllers: [VisitsController] })
class VisitsModule {}

const [may, june] = ['2026-05-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z'];

let service: Service;
let visits: VisitsController;
const log = new Recorder();
beforeAll(async () => {
  service = await startService(sqlite, { samples: [VisitsModule], log });
  visits = service.app.get(VisitsController, { strict: false });
});
afterAll(() => service.stop());
beforeEach(() => {
  visits.asked.length = 0;
  visits.next = undefined;
});

type Parameters = Readonly<Record<string, string>>;
const textOf = (parameters: Parameters) => new URLSearchParams(parameters).toString();

async function get(parameters: Parameters, path = '/visits') {
  const response = await fetch(`${service.stranger.origin}/v1${path}?${textOf(parameters)}`);
  const { status, headers } = response;
  return {
    status,
    text: await response.text(),
    link: headers.get('Link')!.replaceAll(service.stranger.origin, ''),
  };
}
async function refused(parameters: Parameters) {
  const response = await fetch(`${service.stranger.origin}/v1/visits?${textOf(parameters)}`);
  return { status: response.status, ...((await response.json()) as object) };
}

describe('a page', () => {
  it('contains the items that were read, as JSON, up to the limit', async () => {
    const { status, text } = await get({ status: 'sold', limit: '5' });
    expect([status, text]).toEqual([200, '[{"number":1}]']);
    expect(visits.asked).toEqual([{ filter: { status: 'sold' }, limit: 5 }]);
  });

  it('is read with every field of its query', async () => {
    await get({ petId: '7', dueBefore: june, sort: '-due', status: 'sold', dueFrom: may, day: 'monday' });
    expect(visits.asked).toEqual([
      {
        filter: { petId: 7n, status: 'sold' },
        sort: { by: 'due', descending: true },
        range: { from: new Date(may), before: new Date(june) },
        limit: 20,
      },
    ]);
  });

  it.each([
    ['due', { by: 'due', descending: false }],
    ['-name', { by: 'name', descending: true }],
    ['id', { by: 'id', descending: false }],
    ['-id', { by: 'id', descending: true }],
  ])('is sorted by %s in that direction, whichever field the handler reads itself', async (sort, order) => {
    const { link } = await get({ day: 'monday', sort });
    expect(visits.asked).toEqual([{ filter: {}, sort: order, limit: 20 }]);
    expect(link).toBe(`</v1/visits?sort=${sort}&day=monday>; rel="first"`);
  });

  it.each<[Parameters, object]>([
    [{ minWeight: '7' }, { sort: { by: 'weight', descending: false }, range: { from: 7n } }],
    [{ dueFrom: may }, { sort: { by: 'due', descending: false }, range: { from: new Date(may) } }],
    [
      { minWeight: '7', maxWeight: '9', sort: '-weight' },
      { sort: { by: 'weight', descending: true }, range: { from: 7n, before: 9n } },
    ],
  ])('of a range is sorted by the property of the range: %j', async (parameters, selection) => {
    await get(parameters);
    expect(visits.asked).toEqual([{ filter: {}, limit: 20, ...selection }]);
  });

  it.each([
    [{ dueFrom: may, sort: 'name' }, 'dueFrom', 'due'],
    [{ dueFrom: may, sort: '-id' }, 'dueFrom', 'due'],
    // The class declares the range of `due` first.
    [{ minWeight: '7', dueFrom: may }, 'minWeight', 'weight'],
  ])('of a range cannot be sorted by another property: %j', async (parameters, field, property) => {
    const message = `is for a list that is sorted by ${property}; send sort=${property} or sort=-${property}`;
    expect(await refused(parameters)).toEqual({
      status: 400,
      code: 'invalid_parameter',
      message: `query.${field} ${message}.`,
      details: [{ field: `query.${field}`, code: 'invalid_value', message }],
    });
  });

  it('is sorted by a property only if the options of the list name its kind of column', async () => {
    const ask = async (sort: string) =>
      (await fetch(`${service.stranger.origin}/v1/visits/without-kinds?sort=${sort}`)).status;
    expect([await ask('-id'), await ask('-name')]).toEqual([200, 500]);
    await log.wrote(/A list cannot be sorted by name: name its kind of column in the option sort\./);
  });
});

describe('a page with a next one', () => {
  it.each<[string, Position['value']]>([
    ['name', 0.5],
    ['name', true as never],
    ['due', 'now'],
  ])('cannot be sorted by %s whose value is %o, because no cursor could have it', async (sort, value) => {
    visits.next = { id: 7n, value };
    expect((await fetch(`${service.stranger.origin}/v1/visits?sort=${sort}`)).status).toBe(500);
    await log.wrote(
      /A list is sorted by a column whose values are not (?:text|instant): name its kind in the option sort/,
    );
  });
});

describe('the links of a page', () => {
  it('lead to the next page and to the first one, with the same filter and limit', async () => {
    visits.next = { id: 7n };
    const cursor = cursorAfter('/visits', { status: 'sold' }, 7n);
    expect((await get({ limit: '5', status: 'sold' })).link).toBe(
      `</v1/visits?status=sold&limit=5&cursor=${cursor}>; rel="next", </v1/visits?status=sold&limit=5>; rel="first"`,
    );
  });

  it('have their parameters in the declared order, and no others', async () => {
    const { link } = await get({ limit: '5', status: 'a&b=c d', petId: '7', dueFrom: may, sort: 'due' });
    expect(link).toBe(
      `</v1/visits?sort=due&dueFrom=2026-05-01T00%3A00%3A00.000Z&petId=7&status=a%26b%3Dc%20d&limit=5>; rel="first"`,
    );
  });

  it('lead only to the first page from the last page', async () => {
    const cursor = cursorAfter('/visits', { status: 'sold' }, 9n);
    expect((await get({ status: 'sold', cursor })).link).toBe('</v1/visits?status=sold>; rel="first"');
  });

  it('begin with a question mark if there are no other parameters', async () => {
    visits.next = { id: 7n };
    const cursor = cursorAfter('/visits', {}, 7n);
    expect((await get({})).link).toBe(`</v1/visits?cursor=${cursor}>; rel="next", </v1/visits>; rel="first"`);
  });

  it('return every parameter unchanged, and cannot be broken by it', async () => {
    const hostile = fc.string({ unit: fc.constantFrom(...'<>"\\;, \r\nä') });
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyText(), hostile), async (status) => {
        const { link } = await get({ status });
        expect(link).toMatch(/^<[!-;=?-~]*>; rel="first"$/);
        const url = new URL(/<(.*)>/.exec(link)![1]!, service.stranger.origin);
        expect(url.searchParams.get('status')).toBe(status);
      }),
    );
  });

  it('cannot be broken by a part of the path', async () => {
    const answer = await rawRequest(
      service.port,
      'GET /v1/of/a>;b"/visits HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n',
    );
    const link = /^link: (.*?)\r$/im.exec(answer)![1]!;
    expect(link).toBe(`<${service.stranger.origin}/v1/of/a%3E;b%22/visits>; rel="first"`);
  });
});

describe('the beginning of a page', () => {
  it.each<[Parameters, Position]>([
    [{ status: 'sold' }, { id: 7n }],
    [{ sort: 'id' }, { id: 7n }],
    [{ sort: '-due' }, { id: 7n, value: new Date(may) }],
    [
      { sort: 'due', dueFrom: may },
      { id: 7n, value: null },
    ],
    [
      { sort: 'name', status: 'a b&c' },
      { id: 7n, value: 'Old Shep' },
    ],
  ])('is the position in the link of the previous page: %j', async (parameters, place) => {
    visits.next = place;
    const { link } = await get({ ...parameters, limit: '5' });
    const cursor = /cursor=([^>&]+)/.exec(link)![1]!;
    for (const limit of ['5', '100']) await get({ ...parameters, cursor, limit });
    expect(visits.asked.map(({ after }) => after)).toEqual([undefined, place, place]);
  });

  it.each<[string, Parameters]>([
    ['another status', { status: 'available' }],
    ['no filter', {}],
    ['a range', { status: 'sold', dueFrom: may }],
  ])('is rejected with the cursor of %s', async (_, foreign) => {
    visits.next = { id: 7n, value: new Date(may) };
    const cursor = /cursor=([^>&]+)/.exec((await get(foreign)).link)![1]!;
    expect(await refused({ status: 'sold', cursor })).toMatchObject({ code: 'invalid_cursor' });
  });
});

describe('pages that are requested at the same time', () => {
  const sold = { status: 'sold' };
  const PAGES: [path: string, parameters: Parameters][] = [
    ['/visits/shared', {}],
    ['/visits/shared', sold],
    ['/visits/shared', { ...sold, limit: '5' }],
    ['/visits/shared', { ...sold, cursor: cursorAfter('/visits/shared', sold, 7n) }],
    ['/visits/shared', { ...sold, cursor: cursorAfter('/visits/shared', sold, 8n) }],
    ['/visits/shared', { ...sold, sort: 'due' }],
    ['/visits/shared', { ...sold, petId: '7' }],
    ['/visits/shared', { status: 'sold&petId=7' }],
    ['/visits/shared', { dueFrom: may }],
    ['/visits/shared', { dueFrom: june }],
    ['/visits/also-shared', sold],
  ];
  let open: () => void;
  beforeEach(() => {
    visits.gate = new Promise((resolve) => (open = resolve));
  });
  const requestAll = () => PAGES.map(([path, parameters]) => get(parameters, path));
  const numbers = async (answers: ReturnType<typeof requestAll>) =>
    (await Promise.all(answers)).map(({ text }) => (JSON.parse(text) as Visit[])[0]!.number);

  it('are read once if they are equal and shared, and separately if they differ', async () => {
    const outcomes: string[] = [];
    const listen = (outcome: unknown) => void outcomes.push(String(outcome));
    readCoalesced.subscribe(listen);
    onTestFinished(() => void readCoalesced.unsubscribe(listen));
    const haveArrived = (count: number) => eventually(() => Promise.resolve(outcomes.length === count));
    const early = requestAll();
    await haveArrived(PAGES.length);
    await eventually(() => Promise.resolve(visits.asked.length === PAGES.length));
    const late = [...requestAll(), ...requestAll()];
    await haveArrived(3 * PAGES.length);
    open();
    expect(new Set(await numbers(early)).size).toBe(PAGES.length);
    const ofLate = await numbers(late);
    // These requests came after the reads before them had begun, so they share others.
    expect(Math.min(...ofLate)).toBeGreaterThan(PAGES.length);
    expect(ofLate.slice(PAGES.length)).toEqual(ofLate.slice(0, PAGES.length));
    expect(visits.asked).toHaveLength(2 * PAGES.length);
    expect(outcomes.filter((outcome) => outcome === 'joined')).toHaveLength(PAGES.length);
  });

  it('are read for each request if they are not shared', async () => {
    const answers = [1, 2, 3].map(() => get(sold));
    await eventually(() => Promise.resolve(visits.asked.length === 3));
    open();
    expect((await numbers(answers)).toSorted()).toEqual([1, 2, 3]);
  });
});
