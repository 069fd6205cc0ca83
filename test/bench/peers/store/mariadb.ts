import { createPool, type RowDataPacket } from 'mysql2/promise';
import { DB_POOL_SIZE } from '../shared.js';
import { jsonOf, kindOf, type PetRow, type PetStore } from './pet-store.js';

type Row = RowDataPacket & PetRow;

const COLUMNS = 'SELECT id, name, category_id, status FROM pets';
/** Like the service: without the hint MariaDB reads a status from its newest pet on, however deep the page is. */
const BY_STATUS = `${COLUMNS} FORCE INDEX (pets_by_status) WHERE status = ?`;
const PAGE = 'ORDER BY id DESC LIMIT ?';
const FIND = `${COLUMNS} WHERE id = ?`;
const LISTS = {
  all: `${COLUMNS} ${PAGE}`,
  before: `${COLUMNS} WHERE id < ? ${PAGE}`,
  status: `${BY_STATUS} ${PAGE}`,
  statusBefore: `${BY_STATUS} AND id < ? ${PAGE}`,
};
const INSERT = 'INSERT INTO pets (id, name, category_id, status) VALUES (?, ?, ?, ?)';

/**
 * As many connections as the service has, each of which prepares a statement once. Ids are sent as text, which MariaDB
 * compares exactly and mysql2 serializes with less work than typed integers; results are text where a number is not exact.
 */
export async function openMariaDb(uri: string): Promise<PetStore> {
  const size = Number(DB_POOL_SIZE);
  const pool = createPool({
    uri,
    connectionLimit: size,
    maxIdle: size,
    charset: 'utf8mb4',
    supportBigNumbers: true,
    rowsAsArray: true,
    trace: false,
  });
  const [[last]] = await pool.query<RowDataPacket[]>('SELECT MAX(id) FROM pets');
  let lastId = Number(last![0]);

  return {
    async find(id) {
      const [[row]] = await pool.execute<Row[]>(FIND, [id]);
      return row && jsonOf(row);
    },
    async list(status, before, limit) {
      const values = [status, before, limit].filter((value) => value !== undefined);
      const [rows] = await pool.execute<Row[]>(LISTS[kindOf(status, before)], values);
      return `[${rows.map(jsonOf).join()}]`;
    },
    async add(name, categoryId, status) {
      const id = ++lastId;
      await pool.execute(INSERT, [String(id), name, String(categoryId), status]);
      return jsonOf([id, name, categoryId, status]);
    },
    close: () => pool.end(),
  };
}
