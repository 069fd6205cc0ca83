import type { SqlValue } from '../../../platform/database/sql.js';
import { ApiKey } from '../../domain/api-key.js';

type Integer = bigint | string | number;

/** A row of the table `api_keys`; integers in whichever type the driver reads them exactly. */
export interface ApiKeyRow {
  readonly id: Integer;
  readonly name: string;
  readonly secret_hash: string;
  readonly created_at: Integer;
  readonly expires_at: Integer | null;
  readonly revoked_at: Integer | null;
}

/** The columns of `ApiKeyRow`, in the order of `valuesOf`. */
export const API_KEY_COLUMNS = 'id, name, secret_hash, created_at, expires_at, revoked_at';

export function apiKeyFrom(row: ApiKeyRow): ApiKey {
  return ApiKey.restore({
    id: BigInt(row.id),
    name: row.name,
    secretHash: row.secret_hash,
    createdAt: Number(row.created_at),
    ...(row.expires_at !== null && { expiresAt: Number(row.expires_at) }),
    ...(row.revoked_at !== null && { revokedAt: Number(row.revoked_at) }),
  });
}

export function valuesOf(key: ApiKey): SqlValue[] {
  const { id, name, secretHash, createdAt, expiresAt, revokedAt } = key.facts;
  return [id, name, secretHash, createdAt, expiresAt ?? null, revokedAt ?? null];
}
