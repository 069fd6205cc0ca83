import { hash } from 'node:crypto';
import type { Server } from 'node:http';

// Code shared by all peers, independent of framework and database.

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
