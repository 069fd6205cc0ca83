import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiKeyService } from '../../../src/access/application/api-key-service.js';
import { KeyHouse, OWN_SECRET as BOOTSTRAP } from './key-house.js';
import type { WatchedKeys } from './watched-keys.js';

const MAY_ISSUE = true;

let house: KeyHouse;
let keys: WatchedKeys;
let apiKeys: ApiKeyService;

beforeEach(() => {
  house = new KeyHouse();
  ({ keys } = house);
  apiKeys = house.replica();
});

describe('a service that starts for the first time', () => {
  it('issues a test key, so that it can be tried at once', async () => {
    const secret = await apiKeys.ensureKeys(undefined, MAY_ISSUE);
    expect(secret).toMatch(/^psk_test_/);
    expect((await apiKeys.authenticate(secret!))?.props.name).toBe('first start');
  });

  it('issues no key where it may not', async () => {
    expect(await apiKeys.ensureKeys(undefined, !MAY_ISSUE)).toBeUndefined();
    expect(await keys.isEmpty()).toBe(true);
  });

  it('issues none if another process did while it waited for its turn', async () => {
    const second = await apiKeys.ensureKeys(undefined, MAY_ISSUE, async (work) => {
      expect(await house.replica().ensureKeys(undefined, MAY_ISSUE)).toBeDefined();
      return work();
    });
    expect([second, (await keys.list()).length]).toEqual([undefined, 1]);
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
