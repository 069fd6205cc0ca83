import { Controller, Get, Module, Version, VERSION_NEUTRAL } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../src/access/application/api-key-service.js';
import { Public } from '../../src/platform/http/index.js';
import { HaProxy } from '../faults/support/servers/haproxy.js';
import { sqlite } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';
import { REFUSED, send, sendUntilRefused, STRANGER } from './support/proxy-client.js';

@Controller('halls')
class HallsController {
  @Get()
  @Version(['1', '2', VERSION_NEUTRAL])
  list() {
    return [];
  }

  @Get('map')
  @Version(['1', VERSION_NEUTRAL])
  @Public()
  map() {
    return {};
  }
}
@Module({ controllers: [HallsController] })
class HallsModule {}

describe.skipIf(!HaProxy.isInstalled())('The proxy of compose.yaml, in front of the service', () => {
  let service: Service;
  let proxy: HaProxy;
  let issued = 0;
  beforeAll(async () => {
    const environment = { TRUST_PROXY: '1' };
    service = await startService(sqlite, { modules: [HallsModule], environment });
  });
  afterAll(() => service.stop());
  beforeEach(async () => void (proxy = await HaProxy.start([service.port])));
  afterEach(() => proxy.stop());

  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
  const newKey = async () => {
    const keys = service.app.get(ApiKeyService, { strict: false });
    return (await keys.issue({ name: `key ${(issued += 1)}` }, 'test', 'test')).secret;
  };
  /** The status of a request with a key. */
  const ask = async (path: string, key: string, from?: string) =>
    (await send(proxy.port, { path, headers: bearer(key), ...(from && { from }) })).status;
  const bad = (i: number) => `psk_test_bad${i}`;

  it.each(['/v1/pets', '/v1/halls', '/v2/halls', '/halls'])(
    'rejects new keys of a source that guesses at %s, but neither its valid keys nor keys of another source',
    async (path) => {
      const [known, fresh] = [await newKey(), await newKey()];
      expect(await ask(path, known, STRANGER)).toBe(200);
      const { passed, refusal } = await sendUntilRefused(proxy.port, (i) => ({
        path,
        headers: bearer(bad(i)),
        from: STRANGER,
      }));
      expect(passed).toBe(101);
      expect(refusal).toMatchObject(REFUSED);
      expect(refusal.body).toContain('API keys');
      for (const other of ['/v1/pets', '/v2/halls', '/halls', '/halls/map']) {
        expect(await ask(other, bad(0), STRANGER)).toBe(429);
        expect(await ask(other, fresh, STRANGER)).toBe(429);
        expect(await ask(other, known, STRANGER)).toBe(200);
      }
      expect((await send(proxy.port, { path: '/halls/map', from: STRANGER })).status).toBe(200);
      expect(await ask(path, fresh)).toBe(200);
    },
  );

  it('counts requests with several keys', async () => {
    const known = await newKey();
    const path = '/v1/pets';
    expect(await ask(path, known, STRANGER)).toBe(200);
    const guess = (i: number) => ({ Authorization: [`Bearer ${bad(i)}`, `Bearer ${known}`] });
    expect((await send(proxy.port, { path, headers: guess(0), from: STRANGER })).status).toBe(401);
    const guesses = (i: number) => ({ path, headers: guess(i), from: STRANGER });
    const { passed, refusal } = await sendUntilRefused(proxy.port, guesses);
    expect(passed).toBe(100);
    expect(refusal).toMatchObject(REFUSED);
    expect(await ask(path, known, STRANGER)).toBe(200);
    expect(await ask(path, known)).toBe(200);
  });

  it.each(['/openapi.json', '/v1/halls/map', '/halls/map', '/docs/', '/livez'])(
    'does not treat a key as valid because it was sent to %s, which needs no key',
    async (path) => {
      for (let i = 0; i < 101; i++) {
        expect(await ask(path, bad(i), STRANGER)).toBe(200);
        expect(await ask('/v1/pets', bad(i), STRANGER)).toBe(401);
      }
      expect(await ask('/v1/pets', bad(0), STRANGER)).toBe(429);
    },
  );

  it('does not limit an address from which a revoked key is repeated, not even for its new key', async () => {
    for (let i = 0; i < 150; i++) expect(await ask('/v1/pets', bad(0), STRANGER)).toBe(401);
    expect(await ask('/v1/pets', await newKey(), STRANGER)).toBe(200);
  });

  it('lets no client choose the host of links', async () => {
    const headers = {
      ...bearer(await newKey()),
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Port': '666',
      'X-Forwarded-Prefix': '/evil',
      'X-Forwarded-Server': 'evil.example',
      'X-Forwarded-For': '192.0.2.1',
      Forwarded: 'for=192.0.2.1;host=evil.example;proto=https',
    };
    const honest = await send(proxy.port, { path: '/v1/pets', headers: bearer(await newKey()) });
    const page = await send(proxy.port, { path: '/v1/pets', headers });
    expect([page.status, page.headers.link]).toEqual([200, honest.headers.link]);
    expect(page.headers).not.toHaveProperty('strict-transport-security');
    const added = await fetch(`${proxy.origin}/v1/pets`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Rex', categoryId: 7 }),
    });
    expect(added.status).toBe(201);
    expect([...added.headers].join()).not.toContain('evil');
  });
});
