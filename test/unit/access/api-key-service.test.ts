import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiKeyService } from '../../../src/access/application/api-key-service.js';
import type { KeyTerms } from '../../../src/access/domain/api-key.js';
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

  it('refuses a key from the moment it expires, though it was accepted just before', async () => {
    const { secret } = await issue({ expiresAt: house.clock.now() + 10 });
    house.clock.advance(9);
    expect(await apiKeys.authenticate(secret)).toBeDefined();
    house.clock.advance(1);
    expect(await apiKeys.authenticate(secret)).toBeUndefined();
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
