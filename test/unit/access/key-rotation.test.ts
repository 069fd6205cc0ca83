import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiKeyService } from '../../../src/access/application/api-key-service.js';
import { ApiKey, type KeyTerms } from '../../../src/access/domain/api-key.js';
import { KeyNotFound, KeyNotUsable } from '../../../src/access/domain/key-errors.js';
import { KeyHouse, OPERATOR, OWN_SECRET } from './key-house.js';

const HOUR = 3_600_000;

let house: KeyHouse;
let apiKeys: ApiKeyService;
const issue = (terms: Partial<KeyTerms> = {}) =>
  apiKeys.issue({ name: 'shop window', ...terms }, 'test', OPERATOR);
const rotate = (id: bigint, overlap = HOUR) => apiKeys.rotate(id, overlap, 'test', OPERATOR);

beforeEach(() => {
  house = new KeyHouse();
  apiKeys = house.replica();
});

describe('rotating a key', () => {
  it('gives another key, and both open the door until the overlap ends', async () => {
    const old = await issue();
    const fresh = await rotate(old.key.props.id);
    expect(fresh.secret).not.toBe(old.secret);
    house.clock.advance(HOUR - 1);
    expect((await apiKeys.authenticate(old.secret))?.props.id).toBe(1n);
    expect((await apiKeys.authenticate(fresh.secret))?.props.id).toBe(2n);
  });

  it('leaves only the new key when the overlap has ended', async () => {
    const old = await issue();
    const fresh = await rotate(old.key.props.id);
    await apiKeys.authenticate(old.secret);
    house.clock.advance(HOUR);
    expect(await apiKeys.authenticate(old.secret)).toBeUndefined();
    expect(await apiKeys.authenticate(fresh.secret)).toBeDefined();
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

  it('lets the new key live for ever where the old one would have', async () => {
    const old = await issue();
    expect((await rotate(old.key.props.id)).key.terms).toEqual({ name: 'shop window' });
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

  it('is one that has expired', async () => {
    await issue({ expiresAt: house.clock.now() + 1_000 });
    house.clock.advance(1_000);
    await expect(rotate(1n)).rejects.toThrow(KeyNotUsable);
    await expectUntouched(1n, ['issued'], 1);
  });

  it('is one that was rotated already, though its overlap lasts', async () => {
    await issue();
    await rotate(1n);
    await expect(rotate(1n)).rejects.toThrow(KeyNotUsable);
    await expectUntouched(1n, ['issued', 'rotated'], 2);
  });

  it('is one that another replica rotates at the same moment', async () => {
    await issue();
    const rotations = [apiKeys, house.replica()].map((one) => one.rotate(1n, HOUR, 'test', OPERATOR));
    const outcomes = await Promise.allSettled(rotations);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
