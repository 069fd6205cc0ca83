import { beforeEach, describe, expect, it } from 'vitest';
import { KeyCache } from '../../../src/access/application/key-cache.js';
import { KeyRing } from '../../../src/access/application/key-ring.js';
import { ApiKey } from '../../../src/access/domain/api-key.js';
import { MemorySequence } from '../../../src/platform/memory/memory-sequence.js';
import { ManualClock } from '../../support/clocks.js';
import { SeededChance } from './seeded-chance.js';
import { WatchedKeys } from './watched-keys.js';

const OWN_SECRET = 'an-operators-own-secret-of-some-length';

let clock: ManualClock;
let cache: KeyCache;
let keys: WatchedKeys;
let ring: KeyRing;

beforeEach(() => {
  clock = new ManualClock();
  cache = new KeyCache(clock);
  keys = new WatchedKeys();
  ring = new KeyRing(keys, new MemorySequence(), cache, clock, new SeededChance());
});

describe('a key that comes again', () => {
  it('is looked up once in five seconds', async () => {
    const { secret } = await ring.issue('shop window', 'test');
    await ring.recognise(secret);
    clock.advance(4_999);
    expect(await ring.recognise(secret)).toBeDefined();
    expect(keys.reads).toBe(1);
  });

  it('is refused within five seconds after it was revoked', async () => {
    const { key, secret } = await ring.issue('shop window', 'test');
    await ring.recognise(secret);
    keys.change(key, { revokedAt: clock.now() });
    clock.advance(5_000);
    expect(await ring.recognise(secret)).toBeUndefined();
  });

  it('is looked up once for all who bring it at the same moment', async () => {
    const { secret } = await ring.issue('shop window', 'test');
    const found = await Promise.all(Array.from({ length: 20 }, () => ring.recognise(secret)));
    expect(found.map((key) => key?.facts.id)).toEqual(Array.from({ length: 20 }, () => 1n));
    expect(keys.reads).toBe(1);
  });

  it('is not mixed up with another key', async () => {
    const [one, other] = [await ring.issue('one', 'test'), await ring.issue('other', 'test')];
    expect((await ring.recognise(one.secret))?.facts.name).toBe('one');
    expect((await ring.recognise(other.secret))?.facts.name).toBe('other');
  });
});

describe('a stranger', () => {
  it('is recognised from the moment the secret is registered', async () => {
    expect(await ring.recognise(OWN_SECRET)).toBeUndefined();
    await ring.register('bootstrap', OWN_SECRET);
    expect(await ring.recognise(OWN_SECRET)).toBeDefined();
  });
});

describe('a storage that is out of order', () => {
  it('is no reason to call a key unknown: everybody who waits hears of the failure', async () => {
    const { secret } = await ring.issue('shop window', 'test');
    keys.outOfOrder = true;
    const outcomes = await Promise.allSettled([ring.recognise(secret), ring.recognise(secret)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('is asked again by the next request', async () => {
    const { secret } = await ring.issue('shop window', 'test');
    keys.outOfOrder = true;
    await expect(ring.recognise(secret)).rejects.toThrow('out of order');
    keys.outOfOrder = false;
    expect(await ring.recognise(secret)).toBeDefined();
  });
});

describe('the memory for keys', () => {
  const key = ApiKey.restore({ id: 1n, name: 'shop window', secretHash: 'c0ffee', createdAt: 1_000 });
  const read = () => Promise.resolve(key);

  it('is not upset by an old answer that fails after a newer one has come', async () => {
    let fail: (reason: Error) => void = () => undefined;
    const old = cache.get('c0ffee', () => new Promise<never>((_, reject) => (fail = reject)));
    clock.advance(5_000);
    await cache.get('c0ffee', read);
    fail(new Error('too late'));
    await expect(old).rejects.toThrow('too late');
    expect(await cache.get('c0ffee', () => Promise.reject(new Error('asked in vain')))).toBe(key);
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
