import Database from 'better-sqlite3';
import { jsonOf, kindOf, type PetStore } from './pet-store.js';

// SQLite writes the JSON itself: a response is one string instead of an object per row.
const PET = `json_object('id', id, 'name', name, 'categoryId', category_id, 'status', status)`;
const list = (which: string) =>
  `SELECT json_group_array(${PET}) FROM (SELECT id, name, category_id, status FROM pets ${which} ORDER BY id DESC LIMIT ?)`;
const BY_STATUS = 'INDEXED BY pets_by_status WHERE status = ?';

/** One connection, synchronous: the fastest way with in-process SQLite. Commits are as durable as the service's. */
export function openSqlite(file: string): PetStore {
  const database = new Database(file, { fileMustExist: true });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  const text = (statement: string) => database.prepare<unknown[], string>(statement).pluck();
  const find = text(`SELECT ${PET} FROM pets WHERE id = ?`);
  const lists = {
    all: text(list('')),
    before: text(list('WHERE id < ?')),
    status: text(list(BY_STATUS)),
    statusBefore: text(list(`${BY_STATUS} AND id < ?`)),
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
