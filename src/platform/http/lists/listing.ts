import type { Problem } from '../../../kernel/domain-error.js';
import type { Range, Selection, Sort } from '../../../kernel/page.js';
import { ApiException } from '../errors/api-exception.js';
import { oncePerClass } from '../validation/once-per-class.js';
import { rulesOf } from '../validation/problems.js';
import { PageQuery } from './page.query.js';
import type { SortKind, SortKinds } from './sort-value.js';

/** A field of a query that is neither part of every list nor the order. */
type FieldOf<Query extends PageQuery> = Exclude<keyof Query & string, keyof PageQuery | 'sort'>;

/**
 * What a list does with the fields of its query, besides `limit` and `cursor`. The field `sort` has the order (`@SortField`). Each
 * other field is a filter if the options do not name it: items match if their property of the same name has its value.
 */
export interface ListOptions<Query extends PageQuery> {
  /**
   * The properties that the list can be sorted by besides the id, each with its kind of column. Items with equal values are ordered
   * by id. Each property needs an index that begins with the columns of the filter.
   */
  readonly sort?: SortKinds;
  /**
   * The fields that are bounds on a property, by that property, which is one of `sort`. A list with a bound is sorted by the
   * property, ascending by default. In any other order the database would read rows that do not match.
   */
  readonly ranges?: Readonly<Record<string, RangeFields<FieldOf<Query>>>>;
  /** The fields that only the handler reads. They are part of links and cursors, as all fields are. */
  readonly notFilters?: readonly FieldOf<Query>[];
}

/** The fields with the bounds on one property. */
interface RangeFields<Field extends string> {
  /** The field with the lower bound, which is inclusive. */
  readonly from?: Field;
  /** The field with the upper bound, which is exclusive. */
  readonly before?: Field;
}

/** The value of a query parameter that selects items. */
type Choice = string | number | bigint | boolean | Date | readonly (bigint | string)[];

/** What the query of a list asks for, which is the same for all pages. */
export interface Listing {
  /** All parameters that the client sent, except `limit` and `cursor`, in the order of `fieldsOf`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly selection: Pick<Selection<Record<string, Choice>>, 'filter' | 'sort' | 'range'>;
  /** The kind of the column that the list is sorted by; undefined if the list is sorted by id. */
  readonly kind: SortKind | undefined;
}

/**
 * The fields of a query class, except `limit` and `cursor`, in the order that links and cursors have them in. It is the order in
 * which class-validator knows the fields: the class's own as it declares them, then those that it inherits.
 */
const fieldsOf = oncePerClass((queryClass): readonly string[] => {
  const ofEveryList = rulesOf(PageQuery);
  return [...rulesOf(queryClass).keys()].filter((field) => !ofEveryList.has(field));
});

/**
 * Reads a query of a list.
 * @throws ApiException 400 `invalid_parameter` for a bound on a property that the list is not sorted by
 */
export function listingOf<Query extends PageQuery>(
  query: Query,
  { sort: kinds = {}, ranges = {}, notFilters = [] }: ListOptions<Query>,
): Listing {
  const values = query as unknown as Readonly<Record<string, Choice | undefined>>;
  const others: readonly string[] = notFilters;
  const parameters: Record<string, string> = {};
  const filter: Record<string, Choice> = {};
  const bounds: Bound[] = [];
  for (const field of fieldsOf(query.constructor)) {
    const value = values[field];
    if (value === undefined) continue;
    parameters[field] = parameterText(value);
    const bound = boundOf(field, ranges);
    if (bound) bounds.push(bound);
    else if (field !== 'sort' && !others.includes(field)) filter[field] = value;
  }
  const word = parameters['sort'] ?? bounds[0]?.property;
  const sort = word === undefined ? undefined : orderOf(word);
  const kind = kindOf(sort, kinds);
  if (bounds.length === 0) return { parameters, selection: { filter, sort }, kind };
  checkOrder(bounds, sort);
  const range: Range = Object.fromEntries(bounds.map(({ end, field }) => [end, values[field]]));
  return { parameters, selection: { filter, sort, range }, kind };
}

/** A field that is a bound on a property. */
interface Bound {
  readonly field: string;
  readonly property: string;
  readonly end: keyof Range;
}

function boundOf(field: string, ranges: Readonly<Record<string, RangeFields<string>>>): Bound | undefined {
  for (const [property, { from, before }] of Object.entries(ranges)) {
    if (field === from) return { field, property, end: 'from' };
    if (field === before) return { field, property, end: 'before' };
  }
  return undefined;
}

const parameterText = (value: Choice): string =>
  value instanceof Date ? value.toISOString() : String(value);

const orderOf = (word: string): Sort => ({
  by: word.replace(/^-/, ''),
  descending: word.startsWith('-'),
});

function kindOf(sort: Sort | undefined, kinds: SortKinds): SortKind | undefined {
  if (sort === undefined || sort.by === 'id') return undefined;
  const kind = kinds[sort.by];
  if (kind === undefined)
    throw new Error(`A list cannot be sorted by ${sort.by}: name its kind of column in the option sort.`);
  return kind;
}

/** @throws ApiException 400 `invalid_parameter` for each bound on a property that the list is not sorted by */
function checkOrder(bounds: readonly Bound[], sort: Sort | undefined): void {
  const problems = bounds
    .filter(({ property }) => property !== sort?.by)
    .map(({ field, property }): Problem => {
      const message = `is for a list that is sorted by ${property}; send sort=${property} or sort=-${property}`;
      return { field: `query.${field}`, code: 'invalid_value', message };
    });
  if (problems.length > 0) throw ApiException.ofProblems('invalid_parameter', problems);
}
