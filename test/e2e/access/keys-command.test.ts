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
  readonly state: string;
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

  const keys = (...args: string[]) =>
    petstore(['keys', ...args], { DATABASE_URL: service.database.url, NODE_ENV: 'production' });
  const keysAsJson = async (...args: string[]) => JSON.parse((await keys(...args, '--json')).stdout) as Shown;
  const statusOf = async (secret: string) =>
    (await service.stranger.get('/v1/pets', { headers: { Authorization: `Bearer ${secret}` } })).status;

  it('issues a key that opens the service, and shows its secret once', async () => {
    const { secret, id } = await keysAsJson(
      'issue',
      '--name',
      'shop',
      '--scopes',
      'pets:read',
      '--rate',
      '100/s',
    );
    expect(secret).toMatch(/^psk_live_[0-9A-Za-z]{46}$/);
    expect(await statusOf(secret)).toBe(200);
    for (const args of [['list'], ['show', String(id)]])
      expect((await keys(...args)).output).not.toContain(secret);
  });

  it('shows no character that turns or hides others, which a name may have from before', async () => {
    expect((await keys('issue', '--name', 'pay\u202Ecnuol')).code).not.toBe(0);
    const name = 'pay\u202Ecnuol';
    const { key } = await service.app.get(ApiKeyService).issue({ name }, 'live', 'tester');
    for (const args of [['list'], ['show', String(key.props.id)], ['list', '--json']]) {
      const { stdout } = await keys(...args);
      expect(stdout).not.toContain('\u202E');
      expect(stdout).toContain('pay\\u202ecnuol');
    }
  });

  it('revokes a key, which is then refused', async () => {
    const { id, secret } = await keysAsJson('issue', '--name', 'revoked');
    expect(await statusOf(secret)).toBe(200);
    expect(await keysAsJson('revoke', String(id))).toMatchObject({ state: 'revoked' });
    service.clock.advance(5_000);
    expect(await statusOf(secret)).toBe(401);
  });

  it('tells what was done to a key, by whom, and when it was last used', async () => {
    const { id, secret } = await keysAsJson('issue', '--name', 'watched');
    await statusOf(secret);
    await eventually(async () => (await keysAsJson('show', String(id))).lastUsedAt !== null);
    await keysAsJson('revoke', String(id));
    const { history } = await keysAsJson('show', String(id));
    expect(history.map(({ act }) => act)).toEqual(['issued', 'revoked']);
    expect(history[0]!.actor).toMatch(/.+@.+/);
  });

  it.each<[string[], number]>([
    [['--help'], 0],
    [['issue', '--name', 'x', '--expires', 'soon'], 2],
    [['polish'], 2],
    [['revoke', '404'], 3],
  ])('ends %j with exit code %i', async (args, code) => {
    expect((await keys(...args)).code).toBe(code);
  });
});
