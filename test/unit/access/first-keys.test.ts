import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryApiKeyRepository } from '../../../src/access/adapters/memory/memory-api-key-repository.js';
import { FirstKeys } from '../../../src/access/application/first-keys.js';
import { KeyCache } from '../../../src/access/application/key-cache.js';
import { KeyRing } from '../../../src/access/application/key-ring.js';
import { BadConfiguration, readSettings } from '../../../src/platform/config/read-settings.js';
import { MemorySequence } from '../../../src/platform/memory/memory-sequence.js';
import { ManualClock } from '../../support/clocks.js';
import { SeededChance } from './seeded-chance.js';

const BOOTSTRAP = 'an-operators-own-secret-of-some-length';
const PRODUCTION = true;

let ring: KeyRing;

beforeEach(() => {
  const clock = new ManualClock();
  const keys = new MemoryApiKeyRepository();
  ring = new KeyRing(keys, new MemorySequence(), new KeyCache(clock), clock, new SeededChance());
});

describe('a service that starts for the first time', () => {
  it('issues a test key, so that it can be tried at once', async () => {
    const secret = await new FirstKeys(ring, undefined, !PRODUCTION).provide();
    expect(secret).toMatch(/^psk_test_/);
    expect(await ring.recognise(secret!)).toBeDefined();
  });

  it('issues no key in production', async () => {
    expect(await new FirstKeys(ring, undefined, PRODUCTION).provide()).toBeUndefined();
    expect(await ring.isEmpty()).toBe(true);
  });

  it.each([PRODUCTION, !PRODUCTION])(
    "registers the operator's key and issues none (production: %s)",
    async (production) => {
      expect(await new FirstKeys(ring, BOOTSTRAP, production).provide()).toBeUndefined();
      expect((await ring.recognise(BOOTSTRAP))?.facts.name).toBe('bootstrap');
    },
  );
});

describe('a service that starts again', () => {
  it('issues no second test key', async () => {
    await new FirstKeys(ring, undefined, !PRODUCTION).provide();
    expect(await new FirstKeys(ring, undefined, !PRODUCTION).provide()).toBeUndefined();
  });

  it("takes up an operator's key that is new in the configuration", async () => {
    await new FirstKeys(ring, undefined, !PRODUCTION).provide();
    await new FirstKeys(ring, BOOTSTRAP, PRODUCTION).provide();
    expect(await ring.recognise(BOOTSTRAP)).toBeDefined();
  });
});

describe("an operator's key", () => {
  const admitted = (secret: string): boolean => {
    try {
      return readSettings({ BOOTSTRAP_API_KEY: secret }).bootstrapApiKey === secret;
    } catch (error) {
      if (error instanceof BadConfiguration) return false;
      throw error;
    }
  };

  it.each([BOOTSTRAP, 'a'.repeat(31), `${'b'.repeat(32)}==`, 'ö'.repeat(40)])(
    'opens the door if, and only if, the configuration admits it: %s',
    async (secret) => {
      await new FirstKeys(ring, secret, PRODUCTION).provide();
      expect((await ring.recognise(secret)) !== undefined).toBe(admitted(secret));
    },
  );
});
