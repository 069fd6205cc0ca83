import { describe, expect, it } from 'vitest';
import { ApiKey, type ApiKeyProps } from '../../../src/access/domain/api-key.js';
import { KeyNotUsable } from '../../../src/access/domain/key-errors.js';

const props: ApiKeyProps = { id: 5n, name: 'shop window', secretHash: 'c0ffee', createdAt: 1_000 };
const keyWith = (more: Partial<ApiKeyProps> = {}) => ApiKey.restore({ ...props, ...more });

describe('an API key', () => {
  it.each<[string, Partial<ApiKeyProps>, number, string]>([
    ['active for all time when nobody said otherwise', {}, Number.MAX_SAFE_INTEGER, 'active'],
    ['active until the last moment before it expires', { expiresAt: 2_000 }, 1_999, 'active'],
    ['expired from the moment it expires', { expiresAt: 2_000 }, 2_000, 'expired'],
    ['revoked once that is written, though by a clock that was ahead', { revokedAt: 3_000 }, 1, 'revoked'],
    ['revoked, though not expired', { expiresAt: 9_000, revokedAt: 3_000 }, 4_000, 'revoked'],
    ['revoked rather than expired when it is both', { expiresAt: 2_000, revokedAt: 3_000 }, 4_000, 'revoked'],
  ])('is %s', (_, more, now, state) => {
    expect(keyWith(more).stateAt(now)).toBe(state);
  });

  it('may do everything when no scopes were said', () => {
    expect(keyWith().mayDo('pets:write')).toBe(true);
  });

  it.each([
    ['pets:read', true],
    ['pets:write', false],
    ['orders:read', false],
    ['pets', false],
    ['read', false],
  ])('with the scopes pets:read and orders:write may do %s: %s', (scope, may) => {
    expect(keyWith({ scopes: ['pets:read', 'orders:write'] }).mayDo(scope)).toBe(may);
  });

  it('may do nothing when its list of scopes is empty', () => {
    expect(keyWith({ scopes: [] }).mayDo('pets:read')).toBe(false);
  });

  it('has just the terms that the operator decided, for its successor', () => {
    const terms = {
      name: 'till',
      scopes: ['pets:read'],
      expiresAt: 9_000,
      rate: { limit: 5, seconds: 60 },
    };
    expect(keyWith({ ...terms, revokedAt: 3_000, lastUsedAt: 2_000 }).terms).toEqual(terms);
    expect(keyWith().terms).toEqual({ name: 'shop window' });
  });
});

describe('revoking an API key', () => {
  it('ends it at once', () => {
    const revoked = keyWith({ expiresAt: 9_000 }).revoke(3_000);
    expect(revoked.props).toEqual({ ...props, expiresAt: 9_000, revokedAt: 3_000 });
    expect(revoked.stateAt(3_000)).toBe('revoked');
  });

  it('a second time leaves the time of the first', () => {
    expect(keyWith().revoke(3_000).revoke(4_000).props.revokedAt).toBe(3_000);
  });
});

describe('retiring an API key', () => {
  it.each<[string, number | undefined, number]>([
    ['at the given time when it would have lived for ever', undefined, 5_000],
    ['at the given time when it would have lived longer', 9_000, 5_000],
    ['no later than it would have ended anyhow', 4_000, 4_000],
  ])('ends it %s', (_, expiresAt, end) => {
    const key = keyWith(expiresAt === undefined ? {} : { expiresAt });
    expect(key.retire(5_000, 3_000).props).toEqual({ ...props, expiresAt: end, rotatedAt: 3_000 });
  });

  it.each<[string, Partial<ApiKeyProps>]>([
    ['expired', { expiresAt: 3_000 }],
    ['revoked', { revokedAt: 3_000 }],
    ['rotated already', { rotatedAt: 2_000 }],
  ])('is refused when it is %s', (state, more) => {
    const retire = () => keyWith(more).retire(5_000, 3_000);
    expect(retire).toThrow(KeyNotUsable);
    expect(retire).toThrow(`Key 5 is ${state}. Issue a new one instead.`);
  });
});
