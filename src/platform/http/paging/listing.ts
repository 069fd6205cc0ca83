import type { Problem } from '../../../kernel/domain-error.js';
import type { Range, Selection, Sort } from '../../../kernel/page.js';
import { ApiException } from '../errors/api-exception.js';
import { summaryOf } from '../errors/error-response.js';
import { fieldsWithRules } from '../validation/rules.js';
import { type Bound, boundOf, type SortKeys, sortKeysOf } from './list.decorators.js';
import { PageQuery } from './page.query.js';
import type { SortKind } from './sort-kinds.js';

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
interface ListShape {
  readonly fields: readonly string[];
  readonly bounds: ReadonlyMap<string, Bound>;
  readonly sortKeys: SortKeys;
}

const listings = new WeakMap<PageQuery, Listing>();

/** Reads the query of a list. @throws ApiException 400 for bounds on a property that the list is not sorted by */
export function listingOf(query: PageQuery): Listing {
  // `DtoValidationPipe` caches common queries, which are frozen.
  if (!Object.isFrozen(query)) return read(query);
  const known = listings.get(query);
  if (known) return known;
  const listing = read(query);
  listings.set(query, listing);
  return listing;
}

function read(query: PageQuery): Listing {
  const { fields, bounds, sortKeys } = listShapeOf(Object.getPrototypeOf(query) as object);
  const values = query as unknown as Readonly<Record<string, Choice | undefined>>;
  const parameters: Record<string, string> = {};
  const filter: Record<string, Choice> = {};
  const ranges: [field: string, by: string][] = [];
  const range: { -readonly [End in keyof Range]: Range[End] } = {};
  let sort: Sort | undefined;
  for (const field of fields) {
    const value = values[field];
    if (value === undefined) continue;
    parameters[field] = textOf(value, field);
    const ofRange = bounds.get(field);
    if (field === 'sort') sort = sortFrom(String(value));
    else if (!ofRange) filter[field] = value;
    else {
      range[ofRange.end] = value as Exclude<Choice, boolean>;
      ranges.push([field, ofRange.by]);
    }
  }
  if (ranges.length === 0) return { parameters, selection: { filter, sort }, kind: kindOf(sort, sortKeys) };
  sort ??= { by: ranges[0]![1], descending: false };
  checkRanges(ranges, sort);
  return { parameters, selection: { filter, sort, range }, kind: kindOf(sort, sortKeys) };
}

/** Parameters as one text, which is different for different parameters. */
export const textOfParameters = (parameters: Listing['parameters']): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

const shapes = new WeakMap<object, ListShape>();

/** The fields of a query class, by its prototype. Each has a rule, so class-validator knows them all. */
export function listShapeOf(prototype: object): ListShape {
  const known = shapes.get(prototype);
  if (known) return known;
  const ofPage = fieldsWithRules(PageQuery);
  const fields = [...fieldsWithRules(prototype.constructor)].filter((name) => !ofPage.has(name));
  const bounds = new Map(
    fields.flatMap((field) => {
      const found = boundOf(prototype, field);
      return found ? [[field, found] as const] : [];
    }),
  );
  const shape = { fields, bounds, sortKeys: sortKeysOf(prototype) };
  shapes.set(prototype, shape);
  return shape;
}

function sortFrom(word: string): Sort {
  const descending = word.startsWith('-');
  return { by: descending ? word.slice(1) : word, descending };
}

const kindOf = (sort: Sort | undefined, keys: SortKeys): SortKind | undefined =>
  sort === undefined || sort.by === 'id' ? undefined : keys[sort.by];

function textOf(value: Choice, field: string): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object')
    throw new Error(`A list cannot be filtered by ${field}: it is no single value.`);
  return String(value);
}

function checkRanges(ranges: readonly [field: string, by: string][], sort: Sort): void {
  const details: Problem[] = ranges
    .filter(([, by]) => by !== sort.by)
    .map(([field, by]) => ({
      field: `query.${field}`,
      code: 'invalid_value',
      message: `is for a list that is sorted by ${by}; send sort=${by} or sort=-${by}`,
    }));
  if (details.length > 0) throw new ApiException('invalid_parameter', summaryOf(details), { details });
}
