import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { KeyCache } from '../../../src/access/application/key-cache.js';
import type { ApiKeyService } from '../../../src/access/application/api-key-service.js';
import { ApiKey, type KeyTerms } from '../../../src/access/domain/api-key.js';
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

describe('a key that comes again', () => {
  it('is looked up once in five seconds', async () => {
    const { secret } = await issue();
    clock.advance(60_000);
    await apiKeys.authenticate(secret);
    clock.advance(4_999);
    expect(await apiKeys.authenticate(secret)).toBeDefined();
    expect(keys.reads).toBe(1);
  });

  it('is refused within five seconds after it was revoked, though the clock was set back since it was read', async () => {
    const { key, secret } = await issue();
    await apiKeys.authenticate(secret);
    await apiKeys.revoke(key.props.id, OPERATOR);
    clock.set('2026-11-20T11:00:00Z');
    expect(await apiKeys.authenticate(secret)).toBeDefined();
    clock.advance(5_000);
    expect(await apiKeys.authenticate(secret)).toBeUndefined();
  });

  it('is recalled without being looked up, as long as it is good', async () => {
    const { key, secret } = await issue();
    expect(apiKeys.authenticateFromCache(secret)).toBeUndefined();
    await apiKeys.authenticate(secret);
    expect(apiKeys.authenticateFromCache(secret)?.props.id).toBe(key.props.id);
    expect(apiKeys.authenticateFromCache(`${secret}x`)).toBeUndefined();
    clock.advance(5_000);
    expect(apiKeys.authenticateFromCache(secret)).toBeUndefined();
    expect(keys.reads).toBe(1);
  });
});

describe('whoever is refused', () => {
  const comeThrice = async (secret: string) => {
    const reads = keys.reads;
    for (let i = 0; i < 3; i++) expect(await apiKeys.authenticate(secret)).toBeUndefined();
    return keys.reads - reads;
  };

  it('costs a query each time, having expired since it was let in', async () => {
    const { secret } = await issue({ expiresAt: clock.now() + 1_000 });
    expect(await apiKeys.authenticate(secret)).toBeDefined();
    clock.advance(1_000);
    expect(await comeThrice(secret)).toBe(3);
  });

  it('costs one query with all who bring the same secret at the same moment', async () => {
    const found = await Promise.all(Array.from({ length: 20 }, () => apiKeys.authenticate(OWN_SECRET)));
    expect(new Set(found)).toEqual(new Set([undefined]));
    expect(keys.reads).toBe(1);
  });
});

describe('a key that was good lately', () => {
  const readAgain = async (secret: string) => {
    keys.wasGood = undefined;
    await apiKeys.authenticate(secret).catch(() => undefined);
    return keys.wasGood;
  };

  it('is read before unknown ones, as long as it was good when it was read last', async () => {
    const { key, secret } = await issue();
    expect(await readAgain(secret)).toBe(false);
    clock.advance(3_600_000);
    expect(await readAgain(secret)).toBe(true);
    await apiKeys.revoke(key.props.id, OPERATOR);
    clock.advance(5_000);
    expect(await readAgain(secret)).toBe(true);
    expect(await readAgain(secret)).toBe(false);
  });

  it('is also read so after a read has failed, and is not good until then', async () => {
    const { secret } = await issue();
    await apiKeys.authenticate(secret);
    clock.advance(5_000);
    keys.outOfOrder = true;
    for (let i = 0; i < 2; i++) expect(await readAgain(secret)).toBe(true);
    expect(apiKeys.authenticateFromCache(secret)).toBeUndefined();
  });

  it('is read with the unknown ones once it has expired', async () => {
    const { secret } = await issue({ expiresAt: clock.now() + 1_000 });
    await apiKeys.authenticate(secret);
    clock.advance(5_000);
    expect(await readAgain(secret)).toBe(false);
  });
});

describe('the memory for keys', () => {
  let cache: KeyCache;
  beforeEach(() => void (cache = new KeyCache(clock)));
  const key = ApiKey.restore({ id: 1n, name: 'shop window', secretHash: 'c0ffee', createdAt: 1_000 });
  const read = () => Promise.resolve(key);

  /** Lookups that the test answers, in the order in which they were made. */
  class Lookups {
    readonly answers: ((found?: ApiKey) => void)[] = [];
    readonly read = () => new Promise<ApiKey | undefined>((resolve) => void this.answers.push(resolve));
  }

  it('looks again, once for all, for those who joined a lookup under way that found nothing', async () => {
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

  it('leaves a newer lookup to those who come, when an older one ends', async () => {
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

  it('holds ten thousand keys and then forgets the one it read first', async () => {
    let asked = 0;
    const count = () => ((asked += 1), read());
    for (let i = 0; i < 10_001; i++) await cache.get(`hash ${i}`, read);
    await cache.get('hash 1', count);
    expect(asked).toBe(0);
    await cache.get('hash 0', count);
    expect(asked).toBe(1);
  });
});
