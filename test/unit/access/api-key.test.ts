import { describe, expect, it } from 'vitest';
import { API_KEY_COLUMNS, apiKeyFrom, valuesOf } from '../../../src/access/adapters/typeorm/api-key.row.js';
import { ApiKey, type ApiKeyFacts } from '../../../src/access/domain/api-key.js';

const facts: ApiKeyFacts = { id: 5n, name: 'shop window', secretHash: 'c0ffee', createdAt: 1_000 };
const row = { id: 5n, name: 'shop window', secret_hash: 'c0ffee', created_at: 1_000n };

describe('an API key', () => {
  it.each<[string, Partial<ApiKeyFacts>, number, boolean]>([
    ['for all time when nobody said otherwise', {}, Number.MAX_SAFE_INTEGER, true],
    ['until the last moment before it expires', { expiresAt: 2_000 }, 1_999, true],
    ['no more from the moment it expires', { expiresAt: 2_000 }, 2_000, false],
    ['until a revocation that is still to come', { revokedAt: 3_000 }, 2_999, true],
    ['no more from the moment it is revoked', { revokedAt: 3_000 }, 3_000, false],
    ['no more when revoked, though not expired', { expiresAt: 9_000, revokedAt: 3_000 }, 4_000, false],
    ['no more when expired, though not revoked', { expiresAt: 2_000, revokedAt: 9_000 }, 4_000, false],
  ])('is good %s', (_, more, now, good) => {
    expect(ApiKey.restore({ ...facts, ...more }).isGoodAt(now)).toBe(good);
  });
});

describe('an API key in the table', () => {
  it('has a value for each column, in the order of the columns', () => {
    const key = ApiKey.restore({ ...facts, expiresAt: 2_000, revokedAt: 3_000 });
    expect(valuesOf(key)).toEqual([5n, 'shop window', 'c0ffee', 1_000, 2_000, 3_000]);
    expect(API_KEY_COLUMNS).toBe('id, name, secret_hash, created_at, expires_at, revoked_at');
  });

  it('has no time where nothing was said', () => {
    expect(valuesOf(ApiKey.restore(facts)).slice(4)).toEqual([null, null]);
  });

  it('is read with each fact in its place', () => {
    expect(apiKeyFrom({ ...row, expires_at: '2000', revoked_at: 3_000 }).facts).toEqual({
      ...facts,
      expiresAt: 2_000,
      revokedAt: 3_000,
    });
  });

  it('is read without the times that it does not have', () => {
    expect(apiKeyFrom({ ...row, expires_at: null, revoked_at: null }).facts).toEqual(facts);
  });
});
