import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../../src/access/index.js';
import { RunningClock } from '../../support/clocks.js';
import { sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { petstore } from '../../support/petstore.js';
import { type Service, startService } from '../../support/service.js';

interface Shown {
  readonly id: number;
  readonly secret: string;
  readonly lastUsedAt: string | null;
  readonly history: { act: string; actor: string }[];
}

describe('petstore keys, beside the running service,', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(sqlite, {
      environment: { NODE_ENV: 'production' },
      clock: new RunningClock(),
    });
  });
  afterAll(() => service.stop());

  const keys = (words: string) =>
    petstore(['keys', ...words.split(' ')], { DATABASE_URL: service.database.url, NODE_ENV: 'production' });
  const keysAsJson = async (words: string) => JSON.parse((await keys(`${words} --json`)).stdout) as Shown;
  const statusOf = async (secret: string) =>
    (await service.stranger.get('/v1/pets', { headers: { Authorization: `Bearer ${secret}` } })).status;

  it('issues a key that works, and shows its secret once', async () => {
    const { secret, id } = await keysAsJson('issue --name shop --scopes pets:read --rate 100/s');
    expect(secret).toMatch(/^psk_live_[0-9A-Za-z]{46}$/);
    expect(await statusOf(secret)).toBe(200);
    for (const words of ['list', `show ${id}`]) expect((await keys(words)).output).not.toContain(secret);
  });

  it('shows no character that reverses or hides text, although a name from an earlier version may have one', async () => {
    const name = 'pay\u202Ecnuol';
    expect((await keys(`issue --name ${name}`)).code).not.toBe(0);
    const { key } = await service.app.get(ApiKeyService).issue({ name }, 'live', 'tester');
    for (const words of ['list', `show ${key.id}`, 'list --json']) {
      const { stdout } = await keys(words);
      expect(stdout).not.toContain('\u202E');
      expect(stdout).toContain('pay\\u202ecnuol');
    }
  });

  it('shows what was done to a key, by whom, and when it was last used', async () => {
    const { id, secret } = await keysAsJson('issue --name watched');
    await statusOf(secret);
    await eventually(async () => (await keysAsJson(`show ${id}`)).lastUsedAt !== null);
    await keysAsJson(`revoke ${id}`);
    const { history } = await keysAsJson(`show ${id}`);
    expect(history.map(({ act }) => act)).toEqual(['issued', 'revoked']);
    expect(history[0]!.actor).toMatch(/.+@.+/);
  });
});
