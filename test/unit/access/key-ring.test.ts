import { beforeEach, describe, expect, it } from 'vitest';
import { KeyCache } from '../../../src/access/application/key-cache.js';
import { KeyRing } from '../../../src/access/application/key-ring.js';
import { hashSecret } from '../../../src/access/domain/key-secret.js';
import { MemorySequence } from '../../../src/platform/memory/memory-sequence.js';
import { ManualClock } from '../../support/clocks.js';
import { SeededChance } from './seeded-chance.js';
import { WatchedKeys } from './watched-keys.js';

const OWN_SECRET = 'an-operators-own-secret-of-some-length';

let clock: ManualClock;
let keys: WatchedKeys;
let ring: KeyRing;
let replica: () => KeyRing;

beforeEach(() => {
  clock = new ManualClock();
  keys = new WatchedKeys();
  const ids = new MemorySequence();
  const chance = new SeededChance();
  replica = () => new KeyRing(keys, ids, new KeyCache(clock), clock, chance);
  ring = replica();
});

describe('issuing a key', () => {
  it('gives a secret that opens the door', async () => {
    const { key, secret } = await ring.issue('shop window', 'test');
    expect((await ring.recognise(secret))?.facts.id).toBe(key.facts.id);
  });

  it('notes who it is for and when, and of the secret only its hash', async () => {
    const { key, secret } = await ring.issue('shop window', 'live');
    expect(key.facts).toEqual({
      id: 1n,
      name: 'shop window',
      secretHash: hashSecret(secret),
      createdAt: clock.now(),
    });
  });

  it('gives everybody a secret of their own', async () => {
    const [one, other] = [await ring.issue('one', 'test'), await ring.issue('other', 'test')];
    expect(one.secret).not.toBe(other.secret);
  });

  it('ends the time in which the service has no key', async () => {
    expect(await ring.isEmpty()).toBe(true);
    await ring.issue('shop window', 'test');
    expect(await ring.isEmpty()).toBe(false);
  });
});

describe("registering an operator's own secret", () => {
  it('makes it open the door', async () => {
    await ring.register('bootstrap', OWN_SECRET);
    expect((await ring.recognise(OWN_SECRET))?.facts.name).toBe('bootstrap');
  });

  it('changes nothing the second time', async () => {
    await ring.register('bootstrap', OWN_SECRET);
    await ring.register('again', OWN_SECRET);
    expect((await ring.recognise(OWN_SECRET))?.facts).toMatchObject({ id: 1n, name: 'bootstrap' });
  });

  it('makes one key of it when two replicas start at once', async () => {
    const [one, other] = [replica(), replica()];
    await Promise.all([one.register('bootstrap', OWN_SECRET), other.register('bootstrap', OWN_SECRET)]);
    const here = await one.recognise(OWN_SECRET);
    expect(here).toBeDefined();
    expect(await other.recognise(OWN_SECRET)).toEqual(here);
  });

  it('does not bring a revoked key back', async () => {
    await ring.register('bootstrap', OWN_SECRET);
    keys.change((await ring.recognise(OWN_SECRET))!, { revokedAt: clock.now() });
    await replica().register('bootstrap', OWN_SECRET);
    expect(await replica().recognise(OWN_SECRET)).toBeUndefined();
  });
});

describe('recognising a key', () => {
  it('does not know a stranger', async () => {
    await ring.issue('shop window', 'test');
    expect(await ring.recognise(OWN_SECRET)).toBeUndefined();
  });

  it('refuses a mistyped key without asking the storage', async () => {
    const { secret } = await ring.issue('shop window', 'test');
    const mistyped = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
    expect(await ring.recognise(mistyped)).toBeUndefined();
    expect(keys.reads).toBe(0);
  });

  it('refuses a key from the moment it expires, though it was recognised just before', async () => {
    const { key, secret } = await ring.issue('for an hour', 'test');
    keys.change(key, { expiresAt: clock.now() + 10 });
    clock.advance(9);
    expect(await ring.recognise(secret)).toBeDefined();
    clock.advance(1);
    expect(await ring.recognise(secret)).toBeUndefined();
  });
});
