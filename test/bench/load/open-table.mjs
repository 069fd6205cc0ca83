import { openMysqlTable } from './mysql-table.mjs';
import { openSqliteTable } from './sqlite-table.mjs';

/** Opens the table `pets` of the database at a URL. */
export function openTable(url) {
  if (url.startsWith('sqlite:')) return openSqliteTable(url.slice('sqlite:'.length));
  if (url.startsWith('mysql://')) return openMysqlTable(url);
  throw new Error('The database must be sqlite:<file> or mysql://user:password@host:port/database.');
}
