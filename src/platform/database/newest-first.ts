import type { Selection } from '../../kernel/selection.js';
import type { SqlValue } from './sql.js';

/**
 * The statement for the selected rows of a table, newest first, and its values. The table needs the columns `id`, its
 * primary key, and `status`, with an index on both in this order: then no page costs more than the first.
 */
export function newestFirst(
  table: string,
  columns: string,
  { status, before, limit }: Selection<string>,
): [statement: string, values: SqlValue[]] {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  if (status !== undefined) {
    conditions.push('status = ?');
    values.push(status);
  }
  if (before !== undefined) {
    conditions.push('id < ?');
    values.push(before);
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  return [`SELECT ${columns} FROM ${table} ${where} ORDER BY id DESC LIMIT ?`, [...values, limit]];
}
