import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onOneEngine } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const HSTS = 'max-age=31536000; includeSubDomains';

describe('Strict-Transport-Security (RFC 6797 section 7.2)', () =>
  onOneEngine((engine) => {
    let service: Service;
    let behindProxy: Service;
    beforeAll(async () => {
      service = await startService(engine);
      behindProxy = await startService(engine, { beside: service, environment: { TRUST_PROXY: '1' } });
    });
    afterAll(async () => {
      await behindProxy.stop();
      await service.stop();
    });

    const sent = async ({ stranger }: Service, path: string, forwarded?: string) => {
      const headers: Record<string, string> =
        forwarded === undefined ? {} : { 'X-Forwarded-Proto': forwarded };
      return (await stranger.get(path, { headers })).headers.get('strict-transport-security');
    };

    it.each(['/livez', '/v1/pets', '/nowhere'])('is not sent over plain HTTP: %s', async (path) => {
      expect(await sent(service, path)).toBeNull();
      expect(await sent(behindProxy, path)).toBeNull();
      expect(await sent(behindProxy, path, 'http')).toBeNull();
    });

    it('is not sent because a client says that it came by TLS', async () => {
      expect(await sent(service, '/livez', 'https')).toBeNull();
    });

    it.each(['/livez', '/v1/pets', '/nowhere'])('is sent where a trusted proxy says so: %s', async (path) => {
      expect(await sent(behindProxy, path, 'https')).toBe(HSTS);
    });
  }));
