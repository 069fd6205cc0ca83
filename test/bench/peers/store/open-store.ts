import { DATABASE_URL } from '../shared.js';
import { openMariaDb } from './mariadb.js';
import type { Eventually, PetStore } from './pet-store.js';
import { openSqlite } from './sqlite.js';

export function openStore(): Eventually<PetStore> {
  const { protocol, pathname } = new URL(DATABASE_URL);
  return protocol === 'sqlite:' ? openSqlite(pathname) : openMariaDb(DATABASE_URL);
}
