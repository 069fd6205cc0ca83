import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiKeyService } from '../../../src/access/application/api-key-service.js';
import { type KeyTerms, ApiKey } from '../../../src/access/domain/api-key.js';
import { KeyNotFound, UnknownScopes } from '../../../src/access/domain/key-errors.js';
import { hashSecret } from '../../../src/access/domain/key-secret.js';
import { KeyHouse, OPERATOR, OWN_SECRET } from './key-house.js';

let house: KeyHouse;
let apiKeys: ApiKeyService;
const issue = (terms: Partial<KeyTerms> = {}) =>
  apiKeys.issue({ name: 'shop window', ...terms }, 'test', OPERATOR);

beforeEach(() => {
  house = new KeyHouse();
  apiKeys = house.replica();
});

const HOUR = 3_600_000;
const rotate = (id: bigint) => apiKeys.rotate(id, HOUR, 'live', OPERATOR);

describe('issuing a key', () => {
  it('stores the name and the time, and only the hash of the secret', async () => {
    const { key, secret } = await issue();
    expect(key).toEqual({
      id: 1n,
      name: 'shop window',
      secretHash: hashSecret(secret),
      createdAt: house.clock.now(),
    });
  });

  it('stores the terms that the operator chose', async () => {
    const expiresAt = house.clock.now() + 1;
    const terms = { name: 'till', scopes: ['pets:admin'], expiresAt, rate: { limit: 5, seconds: 60 } };
    const { key } = await apiKeys.issue(terms, 'live', OPERATOR);
    expect((await apiKeys.get(key.id)).terms()).toEqual(terms);
  });

  it.each([
    [['pets:read', 'cats', 'ops:read'], 'cats, ops:read'],
    [[''], 'an empty scope'],
  ])(
    'rejects the scopes %j that no module declares, and lists the declared scopes',
    async (scopes, unknown) => {
      const declared = 'There are pets:admin, pets:read, pets:write.';
      const refusal = await issue({ scopes }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(UnknownScopes);
      expect((refusal as Error).message).toBe(`No operation asks for ${unknown}. ${declared}`);
      expect(await house.keys.isEmpty()).toBe(true);
    },
  );
});

describe('an action on a key', () => {
  it('is recorded with the operator and the time', async () => {
    const start = house.clock.now();
    await issue();
    house.clock.advance(1_000);
    await apiKeys.rotate(1n, HOUR, 'test', 'bob@counter');
    house.clock.advance(1_000);
    await apiKeys.revoke(1n, 'cy@counter');
    expect(await apiKeys.historyOf(1n)).toEqual([
      { keyId: 1n, act: 'issued', actor: OPERATOR, at: start },
      { keyId: 1n, act: 'rotated', actor: 'bob@counter', at: start + 1_000 },
      { keyId: 1n, act: 'revoked', actor: 'cy@counter', at: start + 2_000 },
    ]);
    expect(await apiKeys.historyOf(2n)).toMatchObject([{ act: 'issued', actor: 'bob@counter' }]);
  });
});

describe("registering an operator's own secret", () => {
  it('changes nothing the second time', async () => {
    await apiKeys.register('bootstrap', OWN_SECRET, OPERATOR);
    await apiKeys.register('again', OWN_SECRET, 'bob@counter');
    expect(await apiKeys.authenticate(OWN_SECRET)).toMatchObject({ id: 1n, name: 'bootstrap' });
    expect(await apiKeys.historyOf(1n)).toMatchObject([{ act: 'registered', actor: OPERATOR }]);
    // A start of a service does not use an id either.
    expect((await issue()).key.id).toBe(2n);
  });

  it('creates one key, with one event, when several replicas start at once', async () => {
    const rings = Array.from({ length: 5 }, () => house.replica());
    await Promise.all(rings.map((one) => one.register('bootstrap', OWN_SECRET, OPERATOR)));
    const stored = await apiKeys.list();
    expect(stored.map(({ name }) => name)).toEqual(['bootstrap']);
    expect(await apiKeys.historyOf(stored[0]!.id)).toMatchObject([{ act: 'registered' }]);
  });

  it('does not make the key valid again after it was revoked', async () => {
    await apiKeys.register('bootstrap', OWN_SECRET, OPERATOR);
    await apiKeys.revoke(1n, OPERATOR);
    await apiKeys.register('bootstrap', OWN_SECRET, OPERATOR);
    expect(await house.replica().authenticate(OWN_SECRET)).toBeUndefined();
  });
});

describe('revoking a key', () => {
  it('works without a record in the history', async () => {
    const { key } = await issue();
    const revoked = await apiKeys.revoke(key.id);
    expect(revoked.revokedAt).toBe(house.clock.now());
    expect(await apiKeys.historyOf(key.id)).toHaveLength(1);
  });

  it('fails without a record when the key does not exist', async () => {
    await expect(apiKeys.revoke(7n, OPERATOR)).rejects.toThrow(KeyNotFound);
    expect(await apiKeys.historyOf(7n)).toEqual([]);
    await expect(apiKeys.get(7n)).rejects.toThrow(
      'No key has the id 7. "petstore keys list" shows all of them.',
    );
  });
});

describe('recognising a key', () => {
  it('rejects a mistyped key without a query', async () => {
    const { secret } = await issue();
    const mistyped = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
    expect(await apiKeys.authenticate(mistyped)).toBeUndefined();
    expect(house.keys.reads).toBe(0);
  });
});

describe('counting keys that end', () => {
  it('counts the keys that end within 14 days, but not the expired ones', async () => {
    const in14Days = house.clock.now() + 14 * 24 * HOUR;
    await issue({ expiresAt: in14Days });
    expect(await apiKeys.countEnding()).toBe(0);
    await issue({ expiresAt: in14Days - 1 });
    await issue({ expiresAt: house.clock.now() + 1 });
    expect(await apiKeys.countEnding()).toBe(2);
    house.clock.advance(1);
    expect(await apiKeys.countEnding()).toBe(2);
  });
});

describe('rotating a key', () => {
  it('creates another key; both are valid until the overlap ends, and then only the new key', async () => {
    const old = await issue();
    const fresh = await rotate(old.key.id);
    house.clock.advance(HOUR - 1);
    expect((await apiKeys.authenticate(old.secret))?.id).toBe(1n);
    house.clock.advance(1);
    expect(await apiKeys.authenticate(old.secret)).toBeUndefined();
    expect((await apiKeys.authenticate(fresh.secret))?.id).toBe(2n);
  });

  it('keeps the terms of the old key, also a scope that modules have stopped declaring', async () => {
    const expiresAt = house.clock.now() + 24 * HOUR;
    const terms = { name: 'probe', scopes: ['ops:read'], rate: { limit: 100, seconds: 1 }, expiresAt };
    await house.keys.add(ApiKey.issue(7n, terms, 'f'.repeat(64), house.clock.now()));
    expect((await rotate(7n)).key.terms()).toEqual(terms);
  });

  it("replaces an operator's own secret by a key of this service", async () => {
    await apiKeys.register('bootstrap', OWN_SECRET, OPERATOR);
    const { key, secret } = await rotate(1n);
    expect(key.name).toBe('bootstrap');
    expect(secret).toMatch(/^psk_live_/);
  });

  it('fails without a record when the key does not exist', async () => {
    await expect(rotate(7n)).rejects.toThrow(KeyNotFound);
    expect([await apiKeys.historyOf(7n), await apiKeys.list()]).toEqual([[], []]);
  });

  it('fails on one of two replicas that do it at the same moment', async () => {
    await issue();
    const rotations = [apiKeys, house.replica()].map((one) => one.rotate(1n, HOUR, 'test', OPERATOR));
    const outcomes = await Promise.allSettled(rotations);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

const MINUTE = 60_000;

const lastUsedAt = async () => (await house.keys.find(1n))?.lastUsedAt;

describe('the last use of a key', () => {
  let secret: string;
  beforeEach(async () => void ({ secret } = await issue()));

  it('is stored again after a minute, and not before', async () => {
    const first = house.clock.now();
    await apiKeys.authenticate(secret);
    house.clock.advance(MINUTE - 1);
    await apiKeys.authenticate(secret);
    expect(await lastUsedAt()).toBe(first);
    expect(house.keys.notes).toBe(1);
    house.clock.advance(1);
    await apiKeys.authenticate(secret);
    expect(await lastUsedAt()).toBe(first + MINUTE);
  });

  it('is stored again after a minute, although the clock was set back', async () => {
    await apiKeys.authenticate(secret);
    house.clock.set('2026-11-20T11:00:00Z');
    house.clock.advance(MINUTE);
    await apiKeys.authenticate(secret);
    expect(house.keys.notes).toBe(2);
  });

  it('is not stored by a replica when another replica has just stored it', async () => {
    await apiKeys.authenticate(secret);
    house.clock.advance(MINUTE - 1);
    await house.replica().authenticate(secret);
    expect(house.keys.notes).toBe(1);
  });

  it('does not change when the key is rejected', async () => {
    await apiKeys.revoke(1n, OPERATOR);
    await apiKeys.authenticate(secret);
    await apiKeys.authenticate(OWN_SECRET);
    expect(house.keys.notes).toBe(0);
  });

  it('does not reject the request when it cannot be stored, and is stored at the next use', async () => {
    house.keys.full = true;
    expect(await apiKeys.authenticate(secret)).toBeDefined();
    house.clock.advance(1_000);
    house.keys.full = false;
    await apiKeys.authenticate(secret);
    expect(await lastUsedAt()).toBe(house.clock.now());
  });
});

const MAY_ISSUE = true;

describe('a service that starts for the first time', () => {
  it('issues a test key that works at once, and no second key at the next start', async () => {
    const secret = await apiKeys.ensureKeys(undefined, MAY_ISSUE);
    expect(secret).toMatch(/^psk_test_/);
    expect((await apiKeys.authenticate(secret!))?.name).toBe('first start');
    expect(await apiKeys.historyOf(1n)).toMatchObject([
      { act: 'issued', actor: 'the service, at its start' },
    ]);
    expect(await apiKeys.ensureKeys(undefined, MAY_ISSUE)).toBeUndefined();
  });

  it('issues no key if the settings do not allow it', async () => {
    expect(await apiKeys.ensureKeys(undefined, !MAY_ISSUE)).toBeUndefined();
    expect(await house.keys.isEmpty()).toBe(true);
  });

  it('issues no key if another process issued one while it waited', async () => {
    const second = await apiKeys.ensureKeys(undefined, MAY_ISSUE, async (work) => {
      expect(await house.replica().ensureKeys(undefined, MAY_ISSUE)).toBeDefined();
      return work();
    });
    expect([second, (await house.keys.list()).length]).toEqual([undefined, 1]);
  });

  it("registers the operator's key, and issues no other", async () => {
    expect(await apiKeys.ensureKeys(OWN_SECRET, MAY_ISSUE)).toBeUndefined();
    expect((await apiKeys.authenticate(OWN_SECRET))?.name).toBe('bootstrap');
  });
});
