import type { EntityMetadata, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { Int64 } from '../../../kernel/int64.js';
import { type Page, pageOf, type Selection, type Sort } from '../../../kernel/page.js';
import { StoredInstant } from '../../../kernel/stored-instant.js';
import { comparison, isInstant, listColumn } from './list-columns.js';

/** After these conditions only the id decides the order. MariaDB recognises that for values, but not for NULL. */
const EQUALS = ['=', 'IS NULL'];

const NEWEST_FIRST: Sort = { by: 'id', descending: true };

/** The name of the selected column that has the stored text of the instant by which the list is sorted. */
const STORED = 'stored_instant';

/** `alias.property`, an operator, and its value if it takes one. */
type Condition = readonly [property: string, operator: string, value?: unknown];

/**
 * Reads one page of a list whose items have an int64 `id`. Filter, range and order refer to properties of the entity, and are added to the
 * conditions of the query. An array in the filter matches any of its values. Page 10,000 costs as much as the first one if an index has the
 * columns of the filter first, then the column of the order. The index need not contain the id, because both engines append it.
 *
 * NULL sorts first ascending and last descending, as in both engines. The items after a position are read in parts: items with the same
 * value and another id, then items with other values, then NULL if it sorts last. Reading stops when the page is full. Each part is one
 * range of the index. A single condition would not be one range: SQLite uses only the first column of `(due_at, id) > (?, ?)`, and sorts
 * if there is an OR. The page reads one item more than the limit, to find out whether another page follows.
 */
export async function keysetPage<Entity extends ObjectLiteral & { readonly id: Int64 }>(
  query: SelectQueryBuilder<Entity>,
  selection: Selection<object>,
): Promise<Page<Entity>> {
  const { filter = {}, sort = NEWEST_FIRST, limit } = selection;
  const { metadata } = query.expressionMap.mainAlias!;
  const equal = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([property, value]: [string, unknown]): Condition => [
      property,
      Array.isArray(value) ? 'IN' : '=',
      value,
    ]);
  const index = indexFor(metadata, new Set(equal.map(([property]) => property)), sort.by);
  const sorted = listColumn(query, sort.by, 'sorted');
  const found: Entity[] = [];
  const stored: (string | null)[] = [];
  for (const part of partsOf(selection, sort, sorted.isNullable)) {
    const isOfEquals = part.some(([property, operator]) => property === sort.by && EQUALS.includes(operator));
    const order = isOfEquals ? { ...sort, by: 'id' } : sort;
    const more = ordered(query.clone(), order).limit(limit + 1 - found.length);
    if (isInstant(sorted)) more.addSelect(`CAST(${query.alias}.${sort.by} AS CHAR)`, STORED);
    if (index !== undefined) more.useIndex(index);
    for (const condition of equal) add(more, condition, 'filtered', index);
    for (const condition of part) add(more, condition, 'sorted', index);
    const { entities, raw } = await more.getRawAndEntities<{ [STORED]?: string | null }>();
    found.push(...entities);
    stored.push(...raw.map((row) => row[STORED] ?? null));
    if (found.length > limit) break;
  }
  const page = pageOf(found, selection);
  return isInstant(sorted) ? continuedAfter(page, stored[limit - 1]) : page;
}

/** The page with the stored instant of its last item, because a `Date` may be less exact. */
function continuedAfter<Item>(page: Page<Item>, text: string | null | undefined): Page<Item> {
  if (!page.next || typeof text !== 'string') return page;
  const value = StoredInstant.of(text);
  if (!value) throw new Error('A list is sorted by a text that is not an instant. Use columns.instant.');
  return { ...page, next: { ...page.next, value } };
}

/** The conditions of each part of a page, besides the filter. */
function partsOf(
  { range = {}, after }: Selection<object>,
  { by, descending }: Sort,
  nullable: boolean,
): Condition[][] {
  const beyond = descending ? '<' : '>';
  const from: Condition[] = range.from === undefined ? [] : [[by, '>=', range.from]];
  const before: Condition[] = range.before === undefined ? [] : [[by, '<', range.before]];
  // With two bounds on the same side SQLite may start at the wrong one. The position is always inside the range, so one bound is enough.
  const rest = descending ? from : before;
  if (by === 'id') {
    // SQLite starts at a bound, even if the bound is always true.
    const first: Condition = [by, `${beyond}=`, descending ? Int64.MAX : -Int64.MAX];
    return [after ? [...rest, [by, beyond, after.id]] : [...from, ...before, first]];
  }
  if (!after) return [[...from, ...before]];
  const { id, value = null } = after;
  const ties: Condition[] = [value === null ? [by, 'IS NULL'] : [by, '=', value], ['id', beyond, id]];
  if (value === null) return descending ? [ties] : [ties, [[by, 'IS NOT NULL'], ...before]];
  const parts = [ties, [[by, beyond, value], ...rest] satisfies Condition[]];
  const endsWithNull = descending && nullable && from.length + before.length === 0;
  return endsWithNull ? [...parts, [[by, 'IS NULL']]] : parts;
}

function ordered<Entity extends ObjectLiteral>(query: SelectQueryBuilder<Entity>, { by, descending }: Sort) {
  const direction = descending ? 'DESC' : 'ASC';
  query.orderBy(`${query.alias}.${by}`, direction);
  return by === 'id' ? query : query.addOrderBy(`${query.alias}.id`, direction);
}

/** Adds a condition. `MySqlQueryRunner` makes MySQL use the index, and `unlikely` makes SQLite use it, because few rows are equal then. */
function add<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
  [property, operator, value]: Condition,
  use: 'sorted' | 'filtered',
  index: string | undefined,
): void {
  const column = listColumn(query, property, use);
  const path = `${query.alias}.${property}`;
  const bind = (one: unknown) => {
    const name = `keyset${Object.keys(query.getParameters()).length}`;
    query.setParameter(name, one);
    return Array.isArray(one) ? `(:...${name})` : `:${name}`;
  };
  const text = value === undefined ? `${path} ${operator}` : comparison(column, path, operator, value, bind);
  const isOnSqlite = query.dataSource.options.type === 'better-sqlite3';
  const isHinted = index !== undefined && EQUALS.includes(operator) && isOnSqlite;
  query.andWhere(isHinted ? `unlikely(${text})` : text);
}

/** The index that begins with the columns of the filter, in any order, followed by the column of the order. */
function indexFor({ indices }: EntityMetadata, filter: ReadonlySet<string>, by: string): string | undefined {
  return indices.find(({ columns }) => {
    const names = columns.map(({ propertyName }) => propertyName);
    const rest = names.slice(filter.size);
    return (
      names.length > 0 &&
      names.slice(0, filter.size).every((name) => filter.has(name)) &&
      [...rest, 'id'][0] === by
    );
  })?.name;
}
