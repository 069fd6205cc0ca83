import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/**
 * Adds a condition that an index answers, and has the rows read through that index whatever the statistics say: else the
 * engine may read rows of other kinds in vain. MySQL is told the index, SQLite that few rows are like that.
 */
export function throughIndex<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
  index: string,
  condition: string,
  values: ObjectLiteral,
): SelectQueryBuilder<Entity> {
  const { type } = query.dataSource.options;
  if (type === 'better-sqlite3') return query.andWhere(`unlikely(${condition})`, values);
  return query.useIndex(index).andWhere(condition, values);
}
