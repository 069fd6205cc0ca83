import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiKey, type ApiKeyFacts } from '../../src/access/domain/api-key.js';
import { overEveryAdapter, type Store } from '../support/stores.js';

const hash = 'a'.repeat(64);
const facts: ApiKeyFacts = {
  id: 3n,
  name: 'Shop window 🐾',
  secretHash: hash,
  createdAt: 1_795_132_800_001,
  expiresAt: 1_795_132_800_002,
  revokedAt: 1_795_132_800_003,
};

describe('the storage of API keys', () =>
  overEveryAdapter((open) => {
    let store: Store;
    beforeEach(async () => (store = await open()));
    afterEach(() => store.close());

    it('gives back what was added, each fact in its place', async () => {
      await store.keys.add(ApiKey.restore(facts));
      expect(await store.keys.findByHash(hash)).toEqual(ApiKey.restore(facts));
    });

    it('keeps a key that never expires and was not revoked', async () => {
      const { expiresAt: _, revokedAt: __, ...endless } = facts;
      await store.keys.add(ApiKey.restore(endless));
      expect(await store.keys.findByHash(hash)).toEqual(ApiKey.restore(endless));
    });

    it('finds no key by another hash', async () => {
      await store.keys.add(ApiKey.restore(facts));
      expect(await store.keys.findByHash('b'.repeat(64))).toBeUndefined();
    });

    it('leaves the first key as it is when the same secret comes again', async () => {
      expect(await store.keys.add(ApiKey.restore(facts))).toBe(true);
      expect(await store.keys.add(ApiKey.restore({ ...facts, id: 4n, name: 'Again' }))).toBe(false);
      expect(await store.keys.findByHash(hash)).toEqual(ApiKey.restore(facts));
    });

    it('lets one of many win who register the same secret at once', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, i) => store.keys.add(ApiKey.restore({ ...facts, id: BigInt(i + 1) }))),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
    });

    it('knows whether any key was ever added', async () => {
      expect(await store.keys.isEmpty()).toBe(true);
      await store.keys.add(ApiKey.restore(facts));
      expect(await store.keys.isEmpty()).toBe(false);
    });
  }));
