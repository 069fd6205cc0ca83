import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient, linked } from '../../support/api-client.js';
import { onOneEngine } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

/** Headers that any client can set, and that a proxy sends. */
const FORWARDED = { 'X-Forwarded-For': '203.0.113.5', 'X-Forwarded-Proto': 'https' };
const CLAIMED = { ...FORWARDED, 'X-Forwarded-Host': 'pets.example', Host: 'evil.example' };

describe('URLs in responses', () =>
  onOneEngine((engine) => {
    const services: Service[] = [];
    const start = async (environment: Record<string, string>) => {
      const service = await startService(engine, {
        environment,
        ...(services[0] && { beside: services[0] }),
      });
      services.push(service);
      return service;
    };
    let here: Service;
    let trusting: Service;
    let trustingOthers: Service;
    beforeAll(async () => {
      here = await start({});
      trusting = await start({ TRUST_PROXY: 'loopback, 10.0.0.0/8' });
      trustingOthers = await start({ TRUST_PROXY: '10.0.0.0/8, 203.0.113.5' });
      for (let i = 0; i < 2; i++) await here.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    });
    afterAll(async () => {
      for (const service of services.toReversed()) await service.stop();
    });

    /** The prefixes of the URLs of list pages, a new pet, the successor of getPet, and the page about its deprecation. */
    const bases = async ({ port, secret }: Service, headers: Record<string, string> = CLAIMED) => {
      // Uses a host name other than the host name in the service's own URLs.
      const caller = await ApiClient.of(`http://localhost:${port}`);
      const client = caller.with({ Authorization: `Bearer ${secret}` });
      const page = await client.get('/v1/pets?limit=1', { headers });
      const added = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers });
      const { id } = added.json as { id: number };
      const got = await client.get(`/v1/pets/${id}`, { headers });
      const missing = await client.get('/v1/pets/404', { headers });
      const paths: [string | undefined | null, string][] = [
        [linked(page, 'next'), '/v1/pets?limit=1&cursor='],
        [linked(page, 'first'), '/v1/pets?limit=1'],
        [added.headers.get('location'), `/v1/pets/${id}`],
        [linked(got, 'successor-version'), '/v1/pets?status=available&limit=1&cursor='],
        [linked(missing, 'successor-version'), '/v1/pets'],
        [linked(got, 'deprecation'), '/docs/deprecations'],
        [linked(missing, 'sunset'), '/docs/deprecations'],
      ];
      const found = paths.map(([address, path]) => {
        expect(address).toContain(path);
        return address!.slice(0, address!.indexOf(path));
      });
      return new Set(found);
    };

    it('begin with the address on which the service listens, whatever a client claims', async () => {
      expect(await bases(here)).toEqual(new Set([here.client.origin]));
    });

    it('begin with the host that a proxy sends only if TRUST_PROXY names the proxy', async () => {
      expect(await bases(trusting)).toEqual(new Set(['https://pets.example']));
      expect(await bases(trusting, FORWARDED)).toEqual(new Set([trusting.client.origin]));
      expect(await bases(trustingOthers)).toEqual(new Set([trustingOthers.client.origin]));
    });

    it('begin with the host that a proxy sends if TRUST_PROXY is the number of proxies', async () => {
      const behindOne = await start({ TRUST_PROXY: '1' });
      expect(await bases(behindOne)).toEqual(new Set(['https://pets.example']));
      const behindNone = await start({ TRUST_PROXY: '0' });
      expect(await bases(behindNone)).toEqual(new Set([behindNone.client.origin]));
    });

    it('ignore the host that a proxy sends without the address of its client', async () => {
      const { 'X-Forwarded-For': _, ...anonymous } = CLAIMED;
      expect(await bases(trusting, anonymous)).toEqual(new Set([trusting.client.origin]));
    });

    it.each(['evil.example/path', 'a b', '<evil>', '', `${'long'.repeat(70)}.example`])(
      'ignore an invalid host, even from a trusted proxy: %s',
      async (host) => {
        const found = await bases(trusting, { ...FORWARDED, 'X-Forwarded-Host': host });
        expect(found).toEqual(new Set([trusting.client.origin]));
      },
    );

    it('of one page differ when two proxies request it at once', async () => {
      const hosts = Array.from({ length: 20 }, (_, i) => `shop-${i}.example`);
      const pages = await Promise.all(
        hosts.map((host) =>
          trusting.client.get('/v1/pets', { headers: { ...FORWARDED, 'X-Forwarded-Host': host } }),
        ),
      );
      expect(pages.map((page) => linked(page, 'first'))).toEqual(
        hosts.map((host) => `https://${host}/v1/pets`),
      );
    });
  }));
