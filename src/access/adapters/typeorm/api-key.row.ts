import { formatRate, parseRate } from '../../../kernel/rate.js';
import type { SqlValue } from '../../../platform/database/session.js';
import { ApiKey, type ApiKeyFacts } from '../../domain/api-key.js';

type Integer = bigint | string | number;

/** A row of the table `api_keys`; integers in whichever type the driver reads them exactly. */
export interface ApiKeyRow {
  readonly id: Integer;
  readonly name: string;
  readonly secret_hash: string;
  readonly scopes: string | null;
  readonly rate: string | null;
  readonly created_at: Integer;
  readonly expires_at: Integer | null;
  readonly revoked_at: Integer | null;
  readonly rotated_at: Integer | null;
  readonly last_used_at: Integer | null;
}

/** The columns of `ApiKeyRow`, in the order of `valuesOf`. */
export const API_KEY_COLUMNS =
  'id, name, secret_hash, scopes, rate, created_at, expires_at, revoked_at, rotated_at, last_used_at';

export function apiKeyFrom(row: ApiKeyRow): ApiKey {
  const rate = row.rate === null ? undefined : parseRate(row.rate);
  return ApiKey.restore({
    id: BigInt(row.id),
    name: row.name,
    secretHash: row.secret_hash,
    createdAt: Number(row.created_at),
    ...(row.scopes !== null && { scopes: row.scopes.split(' ') }),
    ...(rate && { rate }),
    ...(row.expires_at !== null && { expiresAt: Number(row.expires_at) }),
    ...(row.revoked_at !== null && { revokedAt: Number(row.revoked_at) }),
    ...(row.rotated_at !== null && { rotatedAt: Number(row.rotated_at) }),
    ...(row.last_used_at !== null && { lastUsedAt: Number(row.last_used_at) }),
  });
}

export function valuesOf({ facts }: ApiKey): SqlValue[] {
  const { id, name, secretHash, scopes, rate, createdAt } = facts;
  return [
    id,
    name,
    secretHash,
    scopes?.join(' ') ?? null,
    rate ? formatRate(rate) : null,
    createdAt,
    ...endOf(facts),
    facts.lastUsedAt ?? null,
  ];
}

/** What changes when a key ends: `expires_at`, `revoked_at`, `rotated_at`. */
export function endOf({ expiresAt, revokedAt, rotatedAt }: ApiKeyFacts): SqlValue[] {
  return [expiresAt ?? null, revokedAt ?? null, rotatedAt ?? null];
}
