import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { KeyCache } from '../../../src/access/application/key-cache.js';
import type { ApiKeyService } from '../../../src/access/application/api-key-service.js';
import { ApiKey, type KeyTerms } from '../../../src/access/domain/api-key.js';
import { loaded } from '../../support/loaded.js';
import type { ManualClock } from '../../support/clocks.js';
import { KeyHouse, type WatchedKeys, OPERATOR, OWN_SECRET } from './key-house.js';

let clock: ManualClock;
let keys: WatchedKeys;
let apiKeys: ApiKeyService;
const issue = (terms: Partial<KeyTerms> = {}) =>
  apiKeys.issue({ name: 'shop window', ...terms }, 'test', OPERATOR);

beforeEach(() => {
  const house = new KeyHouse();
  ({ clock, keys } = house);
  apiKeys = house.replica();
});

describe('a key that is used again', () => {
  it('is read from the database once in five seconds', async () => {
    const { secret } = await issue();
    clock.advance(60_000);
    await apiKeys.authenticate(secret);
    clock.advance(4_999);
    expect(await apiKeys.authenticate(secret)).toBeDefined();
    expect(keys.reads).toBe(1);
  });

  it('is rejected within five seconds after it was revoked, although the clock was set back after the read', async () => {
    const { key, secret } = await issue();
    await apiKeys.authenticate(secret);
    await apiKeys.revoke(key.id, OPERATOR);
    clock.set('2026-11-20T11:00:00Z');
    expect(await apiKeys.authenticate(secret)).toBeDefined();
    clock.advance(5_000);
    expect(await apiKeys.authenticate(secret)).toBeUndefined();
  });

  it('is returned from the cache without a query as long as it is valid', async () => {
    const { key, secret } = await issue();
    expect(apiKeys.authenticateFromCache(secret)).toBeUndefined();
    await apiKeys.authenticate(secret);
    expect(apiKeys.authenticateFromCache(secret)?.id).toBe(key.id);
    expect(apiKeys.authenticateFromCache(`${secret}x`)).toBeUndefined();
    clock.advance(5_000);
    expect(apiKeys.authenticateFromCache(secret)).toBeUndefined();
    expect(keys.reads).toBe(1);
  });
});

describe('a rejected key', () => {
  const comeThrice = async (secret: string) => {
    const reads = keys.reads;
    for (let i = 0; i < 3; i++) expect(await apiKeys.authenticate(secret)).toBeUndefined();
    return keys.reads - reads;
  };

  it('costs a query for each request after it has expired', async () => {
    const { secret } = await issue({ expiresAt: clock.now() + 1_000 });
    expect(await apiKeys.authenticate(secret)).toBeDefined();
    clock.advance(1_000);
    expect(await comeThrice(secret)).toBe(3);
  });

  it('costs one query for all requests that use it at the same moment', async () => {
    const found = await Promise.all(Array.from({ length: 20 }, () => apiKeys.authenticate(OWN_SECRET)));
    expect(new Set(found)).toEqual(new Set([undefined]));
    expect(keys.reads).toBe(1);
  });
});

describe('a key that was valid recently', () => {
  const readAgain = async (secret: string) => {
    keys.wasValid = undefined;
    await apiKeys.authenticate(secret).catch(() => undefined);
    return keys.wasValid;
  };

  it('is read before unknown keys if it was valid at its latest read', async () => {
    const { key, secret } = await issue();
    expect(await readAgain(secret)).toBe(false);
    clock.advance(3_600_000);
    expect(await readAgain(secret)).toBe(true);
    await apiKeys.revoke(key.id, OPERATOR);
    clock.advance(5_000);
    expect(await readAgain(secret)).toBe(true);
    expect(await readAgain(secret)).toBe(false);
  });

  it('keeps this priority after a read has failed, but is not valid until it is read', async () => {
    const { secret } = await issue();
    await apiKeys.authenticate(secret);
    clock.advance(5_000);
    keys.outOfOrder = true;
    for (let i = 0; i < 2; i++) expect(await readAgain(secret)).toBe(true);
    expect(apiKeys.authenticateFromCache(secret)).toBeUndefined();
  });

  it('is read together with unknown keys once it has expired', async () => {
    const { secret } = await issue({ expiresAt: clock.now() + 1_000 });
    await apiKeys.authenticate(secret);
    clock.advance(5_000);
    expect(await readAgain(secret)).toBe(false);
  });
});

describe('the cache of keys', () => {
  let cache: KeyCache;
  beforeEach(() => void (cache = new KeyCache(clock)));
  const key = loaded(ApiKey, { id: 1n, name: 'shop window', secretHash: 'c0ffee', createdAt: 1_000 });
  const read = () => Promise.resolve(key);

  /** Lookups whose results the test gives, in the order of the lookups. */
  class Lookups {
    readonly answers: ((found?: ApiKey) => void)[] = [];
    readonly read = () => new Promise<ApiKey | undefined>((resolve) => void this.answers.push(resolve));
  }

  it('reads again, once for all callers that joined a read in progress that found nothing', async () => {
    const { read, answers } = new Lookups();
    const first = cache.get('c0ffee', read);
    await turn();
    const late = [1, 2, 3].map(() => cache.get('c0ffee', read));
    answers[0]!();
    expect(await first).toBeUndefined();
    expect(answers).toHaveLength(2);
    answers[1]!(key);
    expect(await Promise.all(late)).toEqual([key, key, key]);
    expect(answers).toHaveLength(2);
  });

  it('keeps a newer read for callers when an older read ends', async () => {
    const { read, answers } = new Lookups();
    const old = cache.get('c0ffee', read);
    clock.advance(5_000);
    const newer = cache.get('c0ffee', read);
    answers[0]!();
    expect(await old).toBeUndefined();
    const joined = cache.get('c0ffee', read);
    expect(answers).toHaveLength(2);
    answers[1]!(key);
    expect(await Promise.all([newer, joined])).toEqual([key, key]);
  });

  it('holds ten thousand keys, and then removes the key that it read first', async () => {
    let asked = 0;
    const count = () => ((asked += 1), read());
    for (let i = 0; i < 10_001; i++) await cache.get(`hash ${i}`, read);
    await cache.get('hash 1', count);
    expect(asked).toBe(0);
    await cache.get('hash 0', count);
    expect(asked).toBe(1);
  });
});
