import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import { createPool, type Pool, type RowDataPacket } from 'mysql2/promise';

// What has nothing to do with a framework and is the same in every peer.

export const STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof STATUSES)[number];

/** A row as the driver gives it, large integers as text. */
export interface PetRow extends RowDataPacket {
  id: string;
  name: string;
  category_id: string;
  status: PetStatus;
}

export const { PORT = '3000', DATABASE_URL = '', DB_POOL_SIZE = '10', API_KEY_SHA256 = '' } = process.env;

/** As many connections as the service has, and its sessions' character set. */
export function openPool(options: { bigNumberStrings: boolean }): Pool {
  const limit = Number(DB_POOL_SIZE);
  return createPool({
    uri: DATABASE_URL,
    connectionLimit: limit,
    maxIdle: limit,
    charset: 'utf8mb4',
    supportBigNumbers: true,
    ...options,
  });
}

const COLUMNS = 'SELECT id, name, category_id, status FROM pets';
/** As the service: left to itself MariaDB reads a status from its newest pet on, however far away the page is. */
const BY_STATUS = `${COLUMNS} FORCE INDEX (pets_by_status)`;

/** Newest first; of a status if there is one, and only what has a smaller id than `before` if there is one. */
export function listStatement(
  status: string | undefined,
  before: string | undefined,
  limit: number,
): [statement: string, values: (string | bigint | number)[]] {
  const conditions: string[] = [];
  const values: (string | bigint | number)[] = [];
  if (status !== undefined) {
    conditions.push('status = ?');
    values.push(status);
  }
  if (before !== undefined) {
    conditions.push('id < ?');
    values.push(BigInt(before));
  }
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
  const select = status === undefined ? COLUMNS : BY_STATUS;
  return [`${select}${where} ORDER BY id DESC LIMIT ?`, [...values, limit]];
}

export const FIND = `${COLUMNS} WHERE id = ?`;
export const INSERT = 'INSERT INTO pets (id, name, category_id, status) VALUES (?, ?, ?, ?)';

const keys = new Set(API_KEY_SHA256.split(','));

/** One API key check: the SHA-256 of the bearer token, looked up in memory. */
export function isKnown(authorization: string | undefined): boolean {
  if (!authorization?.startsWith('Bearer ')) return false;
  return keys.has(createHash('sha256').update(authorization.slice('Bearer '.length)).digest('hex'));
}

/** New ids, counted in memory: right for one process only, and less work than the service's reserved blocks of ids. */
export async function countFrom(pool: Pick<Pool, 'query'>): Promise<() => bigint> {
  const [rows] = await pool.query<RowDataPacket[]>('SELECT MAX(id) AS last FROM pets');
  let id = BigInt(rows[0]?.['last'] ?? 0);
  return () => ++id;
}

/** Says that the server is ready, and stops it on SIGTERM once the requests in flight are answered. */
export function announce(server: Pick<Server, 'close' | 'closeIdleConnections'>, end: () => Promise<void>) {
  process.stdout.write(`Listening on http://127.0.0.1:${PORT}\n`);
  process.once('SIGTERM', () => {
    server.close(() => void end().then(() => process.exit(0)));
    server.closeIdleConnections();
  });
}
