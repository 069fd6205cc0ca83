import type { EntityMetadata, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { Int64 } from '../../../kernel/int64.js';
import { type Page, pageOf, type Selection, type Sort } from '../../../kernel/page.js';

/** Conditions that leave the id to decide the order. MariaDB sees that by itself for values, but not for NULL. */
const EQUALS = ['=', 'IS NULL'];

const NEWEST_FIRST: Sort = { by: 'id', descending: true };

/** `alias.property`, an operator, and its value if it takes one. */
type Condition = readonly [property: string, operator: string, value?: unknown];

/**
 * Reads one page of a list whose items have an int64 `id`. Filter, range and order refer to properties of the entity, and are
 * added to the conditions of the query; an array in the filter is any of its values. Page 10,000 costs as much as the first one if an index has the columns of the filter
 * first, then the column of the order. The index need not contain the id, because both engines append it.
 *
 * NULL sorts first ascending and last descending, as in both engines. The items after a position are read in parts: those with
 * the same value and another id, then those with other values, then NULL if it sorts last. Reading stops when the page is full.
 * Each part is one range of the index, which a single condition would not be: SQLite uses only the first column of `(due_at,
 * id) > (?, ?)`, and sorts if there is an OR. One item more than the limit is read, to see whether another page follows.
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
  const found: Entity[] = [];
  for (const part of partsOf(selection, sort, columnOf(query, sort.by).isNullable)) {
    const isOfEquals = part.some(([property, operator]) => property === sort.by && EQUALS.includes(operator));
    const order = isOfEquals ? { ...sort, by: 'id' } : sort;
    const more = ordered(query.clone(), order).limit(limit + 1 - found.length);
    if (index !== undefined) more.useIndex(index);
    for (const condition of [...equal, ...part]) add(more, condition, index);
    found.push(...(await more.getMany()));
    if (found.length > limit) break;
  }
  return pageOf(found, selection);
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
  // With two bounds on the same side SQLite may start at the wrong one; the position is always inside the range.
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

/** Adds a condition. MySQL is made to use the index (see `MySqlQueryRunner`); SQLite, if it hears that few rows are equal. */
function add<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
  [property, operator, value]: Condition,
  index: string | undefined,
): void {
  const name = `keyset${Object.keys(query.getParameters()).length}`;
  const hasValue = value !== undefined;
  const place = operator === 'IN' ? ` (:...${name})` : ` :${name}`;
  const text = `${query.alias}.${property} ${operator}${hasValue ? place : ''}`;
  const { driver, options } = query.dataSource;
  const stored = (one: unknown): unknown => driver.preparePersistentValue(one, columnOf(query, property));
  const values = hasValue ? { [name]: Array.isArray(value) ? value.map(stored) : stored(value) } : {};
  const isHinted = index !== undefined && EQUALS.includes(operator) && options.type === 'better-sqlite3';
  query.andWhere(isHinted ? `unlikely(${text})` : text, values);
}

function columnOf({ expressionMap }: SelectQueryBuilder<ObjectLiteral>, property: string): ColumnMetadata {
  const { metadata } = expressionMap.mainAlias!;
  const column = metadata.findColumnWithPropertyName(property);
  if (!column) throw new Error(`${metadata.name} has no column ${property} that a list could be made by.`);
  return column;
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
