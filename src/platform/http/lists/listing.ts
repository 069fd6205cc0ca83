import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { Problem } from '../../../kernel/domain-error.js';
import { Int64 } from '../../../kernel/int64.js';
import type { Range, Selection, Sort, SortValue } from '../../../kernel/page.js';
import { ApiException } from '../errors/api-exception.js';
import { MayBeAbsent } from '../validation/dto.decorators.js';
import { rulesOf } from '../validation/problems.js';
import { PageQuery } from './page.query.js';

const ASCII = /^[\x20-\x7e]*$/;

/** How a cursor represents values other than null: parsers, which return undefined for an invalid text. No spaces. */
const KINDS = {
  /** As `columns.int64` and `columns.number`. */
  int64: Int64.parse,
  /** As `columns.instant`. */
  instant: (text: string) => {
    const date = new Date(Number(Int64.parse(text) ?? Number.NaN));
    return Number.isNaN(date.getTime()) ? undefined : date;
  },
  /** As `columns.text`. */
  text: textFrom,
  /** As `columns.word`: other characters would keep MySQL from using the index. */
  word: (text: string) => {
    const word = textFrom(text);
    return ASCII.test(word ?? '') ? word : undefined;
  },
};

/** The kind of column that a list can be sorted by. */
export type SortKind = keyof typeof KINDS;

/** A value as a text without spaces. */
export function writeSortValue(value: SortValue): string {
  if (typeof value === 'string') return JSON.stringify(value).replaceAll(' ', String.raw`\u0020`);
  return String(value instanceof Date ? value.getTime() : value);
}

/** @returns undefined for a text that is not a value of this kind */
export const readSortValue = (kind: SortKind, text: string): SortValue | undefined =>
  text === 'null' ? null : KINDS[kind](text);

function textFrom(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The properties that a list can be sorted by besides the id, each with its kind of column. */
export type SortKeys = Readonly<Record<string, SortKind>>;

const SORT_KEYS = Symbol('sort keys');

/**
 * For the field `sort` of a list's query: its value is a property, descending with `-` before it. Equal values are ordered by
 * id. Each property needs an index that begins with the filter's column (typeorm: `keysetPage`).
 */
export function SortField(keys: SortKeys): PropertyDecorator {
  const words = [...Object.keys(keys), 'id'].flatMap((key) => [key, `-${key}`]);
  const message = `$property must be one of ${words.join(', ')}`;
  return applyDecorators(
    MayBeAbsent(),
    IsIn(words, { message }),
    ApiProperty({
      enum: words,
      required: false,
      description:
        'What the list is sorted by, with `-` in descending order; `-id`, newest first, if left out.',
      example: words[0],
    }),
    (prototype: object) => Reflect.defineMetadata(SORT_KEYS, keys, prototype),
  );
}

/** A bound on the property that the list is sorted by. */
export interface Bound {
  readonly end: 'from' | 'before';
  /** The property of the items. */
  readonly by: string;
}

const BOUND = Symbol('bound');

const boundOf = (end: Bound['end'], by: string): PropertyDecorator =>
  applyDecorators(
    (prototype: object, field: string | symbol) =>
      Reflect.defineMetadata(BOUND, { end, by } satisfies Bound, prototype, field),
    ApiProperty({ 'x-range-of': by } as ApiPropertyOptions),
  );

/**
 * A lower bound (inclusive) on a property that the list can be sorted by, besides the field's own rules. A list with such a
 * bound is sorted by this property, ascending by default: any other order would make the database read rows that do not match.
 */
export const From = (by: string) => boundOf('from', by);

/** As `From`, an upper bound (exclusive). */
export const Before = (by: string) => boundOf('before', by);

const UNFILTERED = Symbol('unfiltered');

/** `@Filter(false)`: a field that is no column of the items, for the handler to read; part of links and cursors like all. */
export const Filter =
  (isColumn: false): PropertyDecorator =>
  (prototype, field) =>
    Reflect.defineMetadata(UNFILTERED, !isColumn, prototype, field);

/** The value of a query parameter that selects items. */
export type Choice = string | number | bigint | boolean | Date;

/** The selection of a list by its query, the same for all its pages. */
export interface Listing {
  /** All parameters that the client sent, except those of paging, in the order in which the class declares them. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly selection: Pick<Selection<Record<string, Choice>>, 'filter' | 'sort' | 'range'>;
  /** The kind of column that the list is sorted by; absent: by id. */
  readonly kind: SortKind | undefined;
}

/** The fields of a query class that select items. */
export interface ListShape {
  readonly fields: readonly string[];
  /** Those that are filters by equality, each a column. */
  readonly filters: readonly string[];
  readonly bounds: ReadonlyMap<string, Bound>;
  readonly sortKeys: SortKeys;
}

/** Reads the query of a list. @throws ApiException 400 for bounds on a property that the list is not sorted by */
export function listingOf(query: PageQuery, { fields, filters, bounds, sortKeys }: ListShape): Listing {
  const values = query as unknown as Readonly<Record<string, Choice | undefined>>;
  const parameters: Record<string, string> = {};
  const filter: Record<string, Choice> = {};
  const ranges: [field: string, by: string][] = [];
  const range: { -readonly [End in keyof Range]: Range[End] } = {};
  let sort: Sort | undefined;
  for (const field of fields) {
    const value = values[field];
    if (value === undefined) continue;
    parameters[field] = value instanceof Date ? value.toISOString() : String(value);
    const bound = bounds.get(field);
    if (field === 'sort') sort = sortOf(String(value));
    else if (filters.includes(field)) filter[field] = value;
    else if (bound) {
      range[bound.end] = value as Exclude<Choice, boolean>;
      ranges.push([field, bound.by]);
    }
  }
  sort ??= ranges[0] && { by: ranges[0][1], descending: false };
  checkRanges(ranges, sort?.by);
  const selection = { filter, sort, ...(ranges.length > 0 && { range }) };
  return { parameters, selection, kind: sort && sort.by !== 'id' ? sortKeys[sort.by] : undefined };
}

const sortOf = (text: string): Sort =>
  text.startsWith('-') ? { by: text.slice(1), descending: true } : { by: text, descending: false };

/** `sortedBy` is undefined only if there are no ranges. */
function checkRanges(ranges: readonly [field: string, by: string][], sortedBy: string | undefined): void {
  const problems: Problem[] = ranges
    .filter(([, by]) => by !== sortedBy)
    .map(([field, by]) => ({
      field: `query.${field}`,
      code: 'invalid_value',
      message: `is for a list that is sorted by ${by}; send sort=${by} or sort=-${by}`,
    }));
  if (problems.length > 0) throw ApiException.ofProblems('invalid_parameter', problems);
}

/** The fields of a query class, by its prototype. Each has a rule, so class-validator knows them all. */
export function listShapeOf(prototype: object): ListShape {
  const namesOf = (query: Function) => new Set(rulesOf(query).map(({ propertyName }) => propertyName));
  const ofPage = namesOf(PageQuery);
  const fields = [...namesOf(prototype.constructor)].filter((name) => !ofPage.has(name));
  const read = (key: symbol, field: string) => Reflect.getMetadata(key, prototype, field) as unknown;
  const bounds = new Map(
    fields.flatMap((field) => {
      const bound = read(BOUND, field) as Bound | undefined;
      return bound ? [[field, bound] as const] : [];
    }),
  );
  const isFilter = (field: string) => field !== 'sort' && !bounds.has(field) && !read(UNFILTERED, field);
  const sortKeys = (Reflect.getMetadata(SORT_KEYS, prototype) ?? {}) as SortKeys;
  return { fields, filters: fields.filter(isFilter), bounds, sortKeys };
}
