import { beforeEach, describe, expect, it } from 'vitest';
import { BootstrapKeys } from '../../../src/access/application/bootstrap-keys.js';
import type { ApiKeyService } from '../../../src/access/application/api-key-service.js';
import { readSettings } from '../../../src/platform/config/settings.js';
import { KeyHouse, OWN_SECRET as BOOTSTRAP } from './key-house.js';

const MAY_ISSUE = true;

let apiKeys: ApiKeyService;

beforeEach(() => void (apiKeys = new KeyHouse().replica()));

describe('a service that starts for the first time', () => {
  it('issues a test key, so that it can be tried at once', async () => {
    const secret = await new BootstrapKeys(apiKeys, undefined, MAY_ISSUE).ensureKeys();
    expect(secret).toMatch(/^psk_test_/);
    expect(await apiKeys.authenticate(secret!)).toBeDefined();
  });

  it('issues no key where it may not', async () => {
    expect(await new BootstrapKeys(apiKeys, undefined, !MAY_ISSUE).ensureKeys()).toBeUndefined();
    expect(await apiKeys.isEmpty()).toBe(true);
  });

  it.each([!MAY_ISSUE, MAY_ISSUE])(
    "registers the operator's key and issues none (may issue: %s)",
    async (mayIssue) => {
      expect(await new BootstrapKeys(apiKeys, BOOTSTRAP, mayIssue).ensureKeys()).toBeUndefined();
      expect((await apiKeys.authenticate(BOOTSTRAP))?.props.name).toBe('bootstrap');
    },
  );
});

describe('the history of a first key', () => {
  it.each([
    ['issued', undefined],
    ['registered', BOOTSTRAP],
  ])('says that it was %s by the service itself', async (act, bootstrapSecret) => {
    await new BootstrapKeys(apiKeys, bootstrapSecret, MAY_ISSUE).ensureKeys();
    expect(await apiKeys.historyOf(1n)).toMatchObject([{ act, actor: 'the service, at its start' }]);
  });
});

describe('a service that starts again', () => {
  it('issues no second test key', async () => {
    await new BootstrapKeys(apiKeys, undefined, MAY_ISSUE).ensureKeys();
    expect(await new BootstrapKeys(apiKeys, undefined, MAY_ISSUE).ensureKeys()).toBeUndefined();
  });

  it("takes up an operator's key that is new in the configuration", async () => {
    await new BootstrapKeys(apiKeys, undefined, MAY_ISSUE).ensureKeys();
    await new BootstrapKeys(apiKeys, BOOTSTRAP, !MAY_ISSUE).ensureKeys();
    expect(await apiKeys.authenticate(BOOTSTRAP)).toBeDefined();
  });
});

describe("an operator's key", () => {
  it.each([BOOTSTRAP, 'a'.repeat(32), `${'b'.repeat(32)}==`, 'Zz09-._~+/'.repeat(4)])(
    'opens the door if the configuration admits it: %s',
    async (secret) => {
      const { bootstrapApiKey } = readSettings({ BOOTSTRAP_API_KEY: secret });
      await new BootstrapKeys(apiKeys, bootstrapApiKey, !MAY_ISSUE).ensureKeys();
      expect(await apiKeys.authenticate(secret)).toBeDefined();
    },
  );

  it('that is too short opens no door, though it was registered', async () => {
    await new BootstrapKeys(apiKeys, 'a'.repeat(31), !MAY_ISSUE).ensureKeys();
    expect(await apiKeys.authenticate('a'.repeat(31))).toBeUndefined();
  });
});
