// What all peers have in common: the settings, the key, and the table with hand-written SQL.
import { hash } from 'node:crypto';
import type { Server } from 'node:http';
import Database from 'better-sqlite3';
import { createPool, type RowDataPacket } from 'mysql2/promise';

export const STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof STATUSES)[number];

export const isStatus = (value: unknown): value is PetStatus => STATUSES.includes(value as PetStatus);
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{1,19}$/.test(value);

export const { PORT = '3000', DATABASE_URL = '', DB_POOL_SIZE = '10', API_KEY_SHA256 = '' } = process.env;
export const MAX_BODY_BYTES = 100 * 1024;
export const JSON_TYPE = 'application/json; charset=utf-8';

const BEARER = 'Bearer ';
const keys = new Set(API_KEY_SHA256.split(','));

/** One API key check: the SHA-256 of the bearer token, looked up in memory. */
export function isKnown(authorization: string | undefined): boolean {
  return (
    authorization?.startsWith(BEARER) === true && keys.has(hash('sha256', authorization.slice(BEARER.length)))
  );
}

/** Prints that the server is ready; SIGTERM stops it once the requests in flight have their responses. */
export function announce(
  server: Pick<Server, 'close' | 'closeIdleConnections'>,
  end: () => Promise<void> | void,
) {
  process.stdout.write(`Listening on http://127.0.0.1:${PORT}\n`);
  process.once('SIGTERM', () => {
    server.close(() => void Promise.resolve(end()).then(() => process.exit(0)));
    server.closeIdleConnections();
  });
}

type Eventually<Value> = Value | Promise<Value>;

/**
 * The service's table, with hand-written SQL: one statement per request, prepared once. Results are JSON with exact
 * integers. Ids of new pets are counted in memory: correct for one process only, and less work than the service's reserved
 * blocks of ids.
 */
export interface PetStore {
  find(id: string): Eventually<string | undefined>;
  /** Newest first; optionally with one status only, and only ids smaller than `before`. */
  list(status: PetStatus | undefined, before: string | undefined, limit: number): Eventually<string>;
  add(name: string, categoryId: number, status: PetStatus): Eventually<string>;
  close(): Eventually<void>;
}

export function openStore(): Eventually<PetStore> {
  const { protocol, pathname } = new URL(DATABASE_URL);
  return protocol === 'sqlite:' ? openSqlite(pathname) : openMariaDb(DATABASE_URL);
}

function kindOf(status: string | undefined, before: string | undefined) {
  if (status === undefined) return before === undefined ? 'all' : 'before';
  return before === undefined ? 'status' : 'statusBefore';
}

type PetRow = readonly [id: number | string, name: string, categoryId: number | string, status: PetStatus];

const jsonOf = ([id, name, categoryId, status]: PetRow): string =>
  `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;

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
async function openMariaDb(uri: string): Promise<PetStore> {
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

// SQLite writes the JSON itself: a response is one string instead of an object per row.
const PET = `json_object('id', id, 'name', name, 'categoryId', category_id, 'status', status)`;
const list = (which: string) =>
  `SELECT json_group_array(${PET}) FROM (SELECT id, name, category_id, status FROM pets ${which} ORDER BY id DESC LIMIT ?)`;
const INDEXED = 'INDEXED BY pets_by_status WHERE status = ?';

/** One connection, synchronous: the fastest way with in-process SQLite. Commits are as durable as the service's. */
function openSqlite(file: string): PetStore {
  const database = new Database(file, { fileMustExist: true });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  const text = (statement: string) => database.prepare<unknown[], string>(statement).pluck();
  const find = text(`SELECT ${PET} FROM pets WHERE id = ?`);
  const lists = {
    all: text(list('')),
    before: text(list('WHERE id < ?')),
    status: text(list(INDEXED)),
    statusBefore: text(list(`${INDEXED} AND id < ?`)),
  };
  const insert = database.prepare('INSERT INTO pets (id, name, category_id, status) VALUES (?, ?, ?, ?)');
  let lastId = database.prepare<[], number>('SELECT MAX(id) FROM pets').pluck().get() ?? 0;

  return {
    find: (id) => find.get(id),
    list(status, before, limit) {
      const values = [status, before, limit].filter((value) => value !== undefined);
      return lists[kindOf(status, before)].get(...values)!;
    },
    add(name, categoryId, status) {
      const id = ++lastId;
      insert.run(id, name, categoryId, status);
      return jsonOf([id, name, categoryId, status]);
    },
    close: () => void database.close(),
  };
}
