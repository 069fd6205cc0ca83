import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiKeyService } from '../../../src/access/application/api-key-service.js';
import { type KeyTerms, ApiKey } from '../../../src/access/domain/api-key.js';
import { KeyNotFound, UnknownScopes } from '../../../src/access/domain/key-errors.js';
import { hashSecret } from '../../../src/access/domain/key-secret.js';
import { KeyHouse, OPERATOR, OWN_SECRET, OWN_SECRET as BOOTSTRAP } from './key-house.js';

let house: KeyHouse;
let apiKeys: ApiKeyService;
const issue = (terms: Partial<KeyTerms> = {}) =>
  apiKeys.issue({ name: 'shop window', ...terms }, 'test', OPERATOR);

beforeEach(() => {
  house = new KeyHouse();
  apiKeys = house.replica();
});

describe('issuing a key', () => {
  it('notes who it is for and when, and of the secret only its hash', async () => {
    const { key, secret } = await apiKeys.issue({ name: 'shop window' }, 'live', OPERATOR);
    expect(key.props).toEqual({
      id: 1n,
      name: 'shop window',
      secretHash: hashSecret(secret),
      createdAt: house.clock.now(),
    });
  });

  it('keeps what the operator decided about it', async () => {
    const terms = {
      name: 'till',
      scopes: ['pets:read'],
      expiresAt: house.clock.now() + 1,
      rate: { limit: 5, seconds: 60 },
    };
    const { key } = await apiKeys.issue(terms, 'live', OPERATOR);
    expect((await apiKeys.get(key.props.id)).terms).toEqual(terms);
  });

  it('refuses scopes that no module declares, and says which there are', async () => {
    const declared = 'There are pets:admin, pets:read, pets:write.';
    await expect(issue({ scopes: ['pets:read', 'cats', 'pets:feed'] })).rejects.toThrow(
      new UnknownScopes(['cats', 'pets:feed'], ['pets:admin', 'pets:read', 'pets:write']),
    );
    await expect(issue({ scopes: ['cats', 'pets:feed'] })).rejects.toThrow(
      `No operation asks for cats, pets:feed. ${declared}`,
    );
    await expect(issue({ scopes: ['ops:read'] })).rejects.toThrow(
      `No operation asks for ops:read. ${declared}`,
    );
    await expect(issue({ scopes: [''] })).rejects.toThrow(
      `No operation asks for an empty scope. ${declared}`,
    );
    expect(await house.keys.isEmpty()).toBe(true);
  });

  it('takes a scope with any verb that a module declares', async () => {
    expect((await issue({ scopes: ['pets:admin'] })).key.mayDo('pets:admin')).toBe(true);
  });

  it.each(['live', 'test'] as const)('makes a %s key where one is asked for', async (environment) => {
    const { secret } = await apiKeys.issue({ name: 'shop window' }, environment, OPERATOR);
    expect(secret.startsWith(`psk_${environment}_`)).toBe(true);
  });

  it('is written down with who asked for it, and when', async () => {
    const { key } = await issue();
    const issued = { keyId: 1n, act: 'issued', actor: OPERATOR, at: house.clock.now() };
    house.clock.advance(1_000);
    expect(await apiKeys.historyOf(key.props.id)).toEqual([issued]);
  });
});

describe("registering an operator's own secret", () => {
  it('changes nothing the second time', async () => {
    await apiKeys.register('bootstrap', OWN_SECRET, OPERATOR);
    const registered = { keyId: 1n, act: 'registered', actor: OPERATOR, at: house.clock.now() };
    house.clock.advance(1_000);
    await apiKeys.register('again', OWN_SECRET, 'bob@counter');
    expect((await apiKeys.authenticate(OWN_SECRET))?.props).toMatchObject({ id: 1n, name: 'bootstrap' });
    expect(await apiKeys.historyOf(1n)).toEqual([registered]);
    // Nor does each start of a service use an id.
    expect((await issue()).key.props.id).toBe(2n);
  });

  it('makes one key of it, with one event, when several replicas start at once', async () => {
    const rings = Array.from({ length: 5 }, () => house.replica());
    await Promise.all(rings.map((one) => one.register('bootstrap', OWN_SECRET, OPERATOR)));
    const stored = await apiKeys.list();
    expect(stored.map(({ props }) => props.name)).toEqual(['bootstrap']);
    expect(await apiKeys.historyOf(stored[0]!.props.id)).toMatchObject([{ act: 'registered' }]);
  });

  it('does not revive it after it was revoked', async () => {
    await apiKeys.register('bootstrap', OWN_SECRET, OPERATOR);
    await apiKeys.revoke(1n, OPERATOR);
    await apiKeys.register('bootstrap', OWN_SECRET, OPERATOR);
    expect(await house.replica().authenticate(OWN_SECRET)).toBeUndefined();
  });
});

describe('revoking a key', () => {
  it.each([
    ['the replica that revoked it', true],
    ['any other replica', false],
  ])('has it refused by %s five seconds later at the latest', async (_, same) => {
    const { key, secret } = await issue();
    const witness = same ? apiKeys : house.replica();
    house.clock.advance(1_000);
    expect(await witness.authenticate(secret)).toBeDefined();
    await apiKeys.revoke(key.props.id, OPERATOR);
    house.clock.advance(5_000);
    expect(await witness.authenticate(secret)).toBeUndefined();
  });

  it('is written down with who asked for it, and when', async () => {
    const { key } = await issue();
    house.clock.advance(1_000);
    await apiKeys.revoke(key.props.id, 'bob@counter');
    expect(await apiKeys.historyOf(key.props.id)).toMatchObject([
      { act: 'issued', actor: OPERATOR, at: house.clock.now() - 1_000 },
      { act: 'revoked', actor: 'bob@counter', at: house.clock.now() },
    ]);
  });

  it('works without a history, where there is no room for one', async () => {
    const { key } = await issue();
    const revoked = await apiKeys.revoke(key.props.id);
    expect(revoked.props.revokedAt).toBe(house.clock.now());
    expect(await apiKeys.historyOf(key.props.id)).toHaveLength(1);
  });

  it('is refused, without a trace, when there is no such key', async () => {
    await expect(apiKeys.revoke(7n, OPERATOR)).rejects.toThrow(KeyNotFound);
    expect(await apiKeys.historyOf(7n)).toEqual([]);
  });
});

describe('recognising a key', () => {
  it('refuses a mistyped key without asking the storage', async () => {
    const { secret } = await issue();
    const mistyped = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
    expect(await apiKeys.authenticate(mistyped)).toBeUndefined();
    expect(house.keys.reads).toBe(0);
  });
});

describe('looking keys up', () => {
  it('says so when there is none with that id', async () => {
    await expect(apiKeys.get(7n)).rejects.toThrow(
      'No key has the id 7. "petstore keys list" shows all of them.',
    );
  });
});

describe('counting keys that end', () => {
  it('counts those that are valid, end within 14 days, and were not rotated', async () => {
    const day = 86_400_000;
    const now = house.clock.now();
    await issue();
    await issue({ expiresAt: now + 14 * day });
    expect(await apiKeys.countEnding()).toBe(0);
    await issue({ expiresAt: now + 14 * day - 1 });
    const { key: rotated } = await issue({ expiresAt: now + day });
    const { key: revoked } = await issue({ expiresAt: now + day });
    expect(await apiKeys.countEnding()).toBe(3);
    await apiKeys.rotate(rotated.props.id, day, 'test', OPERATOR);
    await apiKeys.revoke(revoked.props.id, OPERATOR);
    // The successor has the term of the rotated key, which is meant to end.
    expect(await apiKeys.countEnding()).toBe(2);
    house.clock.advance(day);
    expect(await apiKeys.countEnding()).toBe(2);
  });
});

const HOUR = 3_600_000;
const rotate = (id: bigint, overlap = HOUR) => apiKeys.rotate(id, overlap, 'test', OPERATOR);

describe('rotating a key', () => {
  it('gives another key, and both open the door until the overlap ends, then it alone', async () => {
    const old = await issue();
    const fresh = await rotate(old.key.props.id);
    expect(fresh.secret).not.toBe(old.secret);
    house.clock.advance(HOUR - 1);
    expect((await apiKeys.authenticate(old.secret))?.props.id).toBe(1n);
    expect((await apiKeys.authenticate(fresh.secret))?.props.id).toBe(2n);
    house.clock.advance(1);
    expect(await apiKeys.authenticate(old.secret)).toBeUndefined();
  });

  it('hands on the name, the scopes, the rate and the expiry', async () => {
    const terms = {
      name: 'till',
      scopes: ['pets:read', 'pets:write'],
      rate: { limit: 100, seconds: 1 },
      expiresAt: house.clock.now() + 90 * 24 * HOUR,
    };
    const old = await issue(terms);
    expect((await rotate(old.key.props.id)).key.terms).toEqual(terms);
  });

  it('hands on a scope that is no longer declared, and so no longer issued', async () => {
    const terms = { name: 'probe', scopes: ['ops:read'] };
    await house.keys.add(ApiKey.issue(7n, terms, 'f'.repeat(64), house.clock.now()));
    expect((await rotate(7n)).key.terms).toEqual(terms);
  });

  it("replaces an operator's own secret by a key of this service", async () => {
    await apiKeys.register('bootstrap', OWN_SECRET, OPERATOR);
    const { key, secret } = await apiKeys.rotate(1n, HOUR, 'live', OPERATOR);
    expect(key.props.name).toBe('bootstrap');
    expect(secret).toMatch(/^psk_live_/);
  });

  it('is written down for both keys, with who asked for it and when', async () => {
    const old = await issue();
    house.clock.advance(1_000);
    const fresh = await apiKeys.rotate(old.key.props.id, HOUR, 'test', 'bob@counter');
    const byBob = { actor: 'bob@counter', at: house.clock.now() };
    expect(await apiKeys.historyOf(old.key.props.id)).toMatchObject([
      { act: 'issued', actor: OPERATOR, at: house.clock.now() - 1_000 },
      { act: 'rotated', ...byBob },
    ]);
    expect(await apiKeys.historyOf(fresh.key.props.id)).toMatchObject([{ act: 'issued', ...byBob }]);
  });
});

describe('a key that cannot be rotated', () => {
  const expectUntouched = async (id: bigint, acts: string[], keys: number) => {
    expect((await apiKeys.historyOf(id)).map(({ act }) => act)).toEqual(acts);
    expect(await apiKeys.list()).toHaveLength(keys);
  };

  it('is one that does not exist', async () => {
    await expect(rotate(7n)).rejects.toThrow(KeyNotFound);
    await expectUntouched(7n, [], 0);
  });

  it('is one that another replica rotates at the same moment', async () => {
    await issue();
    const rotations = [apiKeys, house.replica()].map((one) => one.rotate(1n, HOUR, 'test', OPERATOR));
    const outcomes = await Promise.allSettled(rotations);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

const MINUTE = 60_000;

const lastUsedAt = async () => (await house.keys.find(1n))?.props.lastUsedAt;

describe('the last use of a key', () => {
  let secret: string;
  beforeEach(async () => void ({ secret } = await issue()));

  it('is noted again after a minute, and not before', async () => {
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

  it('is noted again after a minute, though the clock was set back', async () => {
    await apiKeys.authenticate(secret);
    house.clock.set('2026-11-20T11:00:00Z');
    house.clock.advance(MINUTE);
    await apiKeys.authenticate(secret);
    expect(house.keys.notes).toBe(2);
  });

  it('costs a replica no write when another has just noted it', async () => {
    await apiKeys.authenticate(secret);
    house.clock.advance(MINUTE - 1);
    await house.replica().authenticate(secret);
    expect(house.keys.notes).toBe(1);
  });

  it('is not one that was refused', async () => {
    await apiKeys.revoke(1n, OPERATOR);
    await apiKeys.authenticate(secret);
    await apiKeys.authenticate(OWN_SECRET);
    expect(house.keys.notes).toBe(0);
  });

  it('that cannot be written is no reason to refuse anybody', async () => {
    house.keys.full = true;
    expect(await apiKeys.authenticate(secret)).toBeDefined();
  });

  it('that cannot be written is tried again at the next use', async () => {
    house.keys.full = true;
    await apiKeys.authenticate(secret);
    house.clock.advance(1_000);
    house.keys.full = false;
    await apiKeys.authenticate(secret);
    expect(await lastUsedAt()).toBe(house.clock.now());
  });
});

const MAY_ISSUE = true;

describe('a service that starts for the first time', () => {
  it('issues a test key, so that it can be tried at once', async () => {
    const secret = await apiKeys.ensureKeys(undefined, MAY_ISSUE);
    expect(secret).toMatch(/^psk_test_/);
    expect((await apiKeys.authenticate(secret!))?.props.name).toBe('first start');
  });

  it('issues no key where it may not', async () => {
    expect(await apiKeys.ensureKeys(undefined, !MAY_ISSUE)).toBeUndefined();
    expect(await house.keys.isEmpty()).toBe(true);
  });

  it('issues none if another process did while it waited for its turn', async () => {
    const second = await apiKeys.ensureKeys(undefined, MAY_ISSUE, async (work) => {
      expect(await house.replica().ensureKeys(undefined, MAY_ISSUE)).toBeDefined();
      return work();
    });
    expect([second, (await house.keys.list()).length]).toEqual([undefined, 1]);
  });

  it.each([!MAY_ISSUE, MAY_ISSUE])(
    "registers the operator's key and issues none (may issue: %s)",
    async (mayIssue) => {
      expect(await apiKeys.ensureKeys(BOOTSTRAP, mayIssue)).toBeUndefined();
      expect((await apiKeys.authenticate(BOOTSTRAP))?.props.name).toBe('bootstrap');
    },
  );
});

describe('the history of a first key', () => {
  it.each([
    ['issued', undefined],
    ['registered', BOOTSTRAP],
  ])('says that it was %s by the service itself', async (act, bootstrapSecret) => {
    await apiKeys.ensureKeys(bootstrapSecret, MAY_ISSUE);
    expect(await apiKeys.historyOf(1n)).toMatchObject([{ act, actor: 'the service, at its start' }]);
  });
});

describe('a service that starts again', () => {
  it('issues no second test key', async () => {
    await apiKeys.ensureKeys(undefined, MAY_ISSUE);
    expect(await apiKeys.ensureKeys(undefined, MAY_ISSUE)).toBeUndefined();
  });
});
