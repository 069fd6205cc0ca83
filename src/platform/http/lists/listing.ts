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
const DAY = /^\d{4}-\d{2}-\d{2}$/;

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
  /** As `columns.day`. */
  day: (text: string) => DAY.exec(textFrom(text) ?? '')?.[0],
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

/** Metadata of a field of a query that is more, or less, than a filter by equality. */
const ROLE = Symbol('role');

/** What a field is for: the order of the list, a bound on it, or for the handler alone. */
interface Role {
  readonly sortKeys?: SortKeys;
  readonly bound?: Bound;
}

const hasRole = (role: Role): PropertyDecorator => Reflect.metadata(ROLE, role);

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
    hasRole({ sortKeys: keys }),
  );
}

/** A bound on the property that the list is sorted by. */
export interface Bound {
  readonly end: 'from' | 'before';
  /** The property of the items. */
  readonly by: string;
}

const bounded = (bound: Bound): PropertyDecorator =>
  applyDecorators(hasRole({ bound }), ApiProperty({ 'x-range-of': bound.by } as ApiPropertyOptions));

/**
 * A lower bound (inclusive) on a property that the list can be sorted by, besides the field's own rules. A list with such a
 * bound is sorted by this property, ascending by default: any other order would make the database read rows that do not match.
 */
export const From = (by: string) => bounded({ end: 'from', by });

/** As `From`, an upper bound (exclusive). */
export const Before = (by: string) => bounded({ end: 'before', by });

/** `@Filter(false)`: a field that is no column of the items, for the handler to read; part of links and cursors like all. */
export const Filter = (_isColumn: false): PropertyDecorator => hasRole({});

/** The value of a query parameter that selects items. */
export type Choice = string | number | bigint | boolean | Date | readonly (bigint | string)[];

/** The selection of a list by its query, the same for all its pages. */
export interface Listing {
  /** All parameters that the client sent, except those of paging, in the order in which the class declares them. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly selection: Pick<Selection<Record<string, Choice>>, 'filter' | 'sort' | 'range'>;
  /** The kind of column that the list is sorted by; absent: by id. */
  readonly kind: SortKind | undefined;
}

/** Reads the query of a list. @throws ApiException 400 for bounds on a property that the list is not sorted by */
export function listingOf(query: PageQuery, { fields, filters, bounds, sortKeys }: ListShape): Listing {
  const values = query as unknown as Readonly<Record<string, Choice>>;
  const sent = fields.filter((field) => values[field] !== undefined);
  const parameters = Object.fromEntries(sent.map((field) => [field, textOf(values[field]!)]));
  const filter = Object.fromEntries(
    sent.filter((field) => filters.includes(field)).map((field) => [field, values[field]!]),
  );
  const ranges = sent.flatMap((field) => (bounds.has(field) ? [{ field, ...bounds.get(field)! }] : []));
  const range: Range = Object.fromEntries(ranges.map(({ field, end }) => [end, values[field]]));
  const { sort: word = ranges[0]?.by } = parameters;
  const sort = word === undefined ? undefined : sortOf(word);
  const problems = ranges
    .filter(({ by }) => by !== sort?.by)
    .map(({ field, by }): Problem => {
      const message = `is for a list that is sorted by ${by}; send sort=${by} or sort=-${by}`;
      return { field: `query.${field}`, code: 'invalid_value', message };
    });
  if (problems.length > 0) throw ApiException.ofProblems('invalid_parameter', problems);
  const selection = { filter, sort, ...(ranges.length > 0 && { range }) };
  return { parameters, selection, kind: sort && sort.by !== 'id' ? sortKeys[sort.by] : undefined };
}

const textOf = (value: Choice): string => (value instanceof Date ? value.toISOString() : String(value));
const sortOf = (word: string): Sort => ({ by: word.replace(/^-/, ''), descending: word.startsWith('-') });

/** The fields of a query class that select items, by its prototype. Each has a rule, so class-validator knows them all. */
export function listShapeOf(prototype: object) {
  const ofPage = rulesOf(PageQuery);
  const fields = [...rulesOf(prototype.constructor).keys()].filter((name) => !ofPage.has(name));
  const roleOf = (field: string) => Reflect.getMetadata(ROLE, prototype, field) as Role | undefined;
  /** Those that are filters by equality, each a column. */
  const filters = fields.filter((field) => field !== 'sort' && !roleOf(field));
  const bounds = new Map<string, Bound>();
  for (const field of fields) {
    const bound = roleOf(field)?.bound;
    if (bound) bounds.set(field, bound);
  }
  return { fields, filters, bounds, sortKeys: roleOf('sort')?.sortKeys ?? {} };
}

export type ListShape = Readonly<ReturnType<typeof listShapeOf>>;
