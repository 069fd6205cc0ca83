import type { Database } from 'better-sqlite3';

export const isAlive = (file: Database) => file.open;
