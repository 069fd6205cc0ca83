import { beforeEach, describe, expect, it } from 'vitest';
import { FirstKeys } from '../../../src/access/application/first-keys.js';
import type { KeyRing } from '../../../src/access/application/key-ring.js';
import { readSettings } from '../../../src/platform/config/read-settings.js';
import { KeyHouse, OWN_SECRET as BOOTSTRAP } from './key-house.js';

const MAY_ISSUE = true;

let ring: KeyRing;

beforeEach(() => void (ring = new KeyHouse().replica()));

describe('a service that starts for the first time', () => {
  it('issues a test key, so that it can be tried at once', async () => {
    const secret = await new FirstKeys(ring, undefined, MAY_ISSUE).provide();
    expect(secret).toMatch(/^psk_test_/);
    expect(await ring.recognise(secret!)).toBeDefined();
  });

  it('issues no key where it may not', async () => {
    expect(await new FirstKeys(ring, undefined, !MAY_ISSUE).provide()).toBeUndefined();
    expect(await ring.isEmpty()).toBe(true);
  });

  it.each([!MAY_ISSUE, MAY_ISSUE])(
    "registers the operator's key and issues none (may issue: %s)",
    async (mayIssue) => {
      expect(await new FirstKeys(ring, BOOTSTRAP, mayIssue).provide()).toBeUndefined();
      expect((await ring.recognise(BOOTSTRAP))?.facts.name).toBe('bootstrap');
    },
  );
});

describe('the history of a first key', () => {
  it.each([
    ['issued', undefined],
    ['registered', BOOTSTRAP],
  ])('says that it was %s by the service itself', async (act, bootstrapSecret) => {
    await new FirstKeys(ring, bootstrapSecret, MAY_ISSUE).provide();
    expect(await ring.historyOf(1n)).toMatchObject([{ act, actor: 'the service, at its start' }]);
  });
});

describe('a service that starts again', () => {
  it('issues no second test key', async () => {
    await new FirstKeys(ring, undefined, MAY_ISSUE).provide();
    expect(await new FirstKeys(ring, undefined, MAY_ISSUE).provide()).toBeUndefined();
  });

  it("takes up an operator's key that is new in the configuration", async () => {
    await new FirstKeys(ring, undefined, MAY_ISSUE).provide();
    await new FirstKeys(ring, BOOTSTRAP, !MAY_ISSUE).provide();
    expect(await ring.recognise(BOOTSTRAP)).toBeDefined();
  });
});

describe("an operator's key", () => {
  it.each([BOOTSTRAP, 'a'.repeat(32), `${'b'.repeat(32)}==`, 'Zz09-._~+/'.repeat(4)])(
    'opens the door if the configuration admits it: %s',
    async (secret) => {
      const { bootstrapApiKey } = readSettings({ BOOTSTRAP_API_KEY: secret });
      await new FirstKeys(ring, bootstrapApiKey, !MAY_ISSUE).provide();
      expect(await ring.recognise(secret)).toBeDefined();
    },
  );

  it('that is too short opens no door, though it was registered', async () => {
    await new FirstKeys(ring, 'a'.repeat(31), !MAY_ISSUE).provide();
    expect(await ring.recognise('a'.repeat(31))).toBeUndefined();
  });
});
