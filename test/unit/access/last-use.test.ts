import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiKeyService } from '../../../src/access/application/api-key-service.js';
import { KeyHouse, OPERATOR, OWN_SECRET } from './key-house.js';

const MINUTE = 60_000;

let house: KeyHouse;
let apiKeys: ApiKeyService;
let secret: string;

beforeEach(async () => {
  house = new KeyHouse();
  apiKeys = house.replica();
  ({ secret } = await apiKeys.issue({ name: 'shop window' }, 'test', OPERATOR));
});

const lastUsedAt = async () => (await house.keys.find(1n))?.props.lastUsedAt;

describe('the last use of a key', () => {
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
});

describe('a last use that cannot be written', () => {
  it('is no reason to refuse anybody', async () => {
    house.keys.full = true;
    expect(await apiKeys.authenticate(secret)).toBeDefined();
  });

  it('is tried again at the next use', async () => {
    house.keys.full = true;
    await apiKeys.authenticate(secret);
    house.clock.advance(1_000);
    house.keys.full = false;
    await apiKeys.authenticate(secret);
    expect(await lastUsedAt()).toBe(house.clock.now());
  });
});
