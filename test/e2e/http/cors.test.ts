import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { rawRequest } from '../../support/http/raw-request.js';
import { type Service, startService } from '../../support/service.js';

const SHOP = 'https://shop.example';

/** The names below every `headers` of the OpenAPI document. */
function declaredHeaders(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const names = 'headers' in part ? Object.keys(part.headers as object) : [];
  return [...new Set([...names, ...Object.values(part).flatMap(declaredHeaders)])];
}

// Of any origin, while there are too many requests: overload.test.ts.
describe('a page of another origin', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(sqlite, { environment: { CORS_ORIGINS: SHOP } });
  });
  afterAll(() => service.stop());

  const list = (origin: string) => service.client.get('/v1/pets', { headers: { Origin: origin } });

  it('is let in if it was chosen, and shown what it needs', async () => {
    const answer = await list(SHOP);
    expect(answer.headers.get('access-control-allow-origin')).toBe(SHOP);
    expect(answer.headers.get('access-control-expose-headers')).toContain('Link');
    expect(answer.headers.get('vary')).toBe('Origin, Authorization, Accept');
  });

  it('may read every header that the document declares', async () => {
    const answer = await list(SHOP);
    const exposed = answer.headers.get('access-control-expose-headers')!.split(',');
    const { paths, components } = (await service.stranger.get('/openapi.json')).json as {
      paths: object;
      components: { responses: object };
    };
    const declared = declaredHeaders([paths, components.responses]);
    expect(declared).toContain('Stability');
    // A page may read this one without being told (Fetch, section 2.2.2, CORS-safelisted response-header name).
    expect(declared.filter((name) => name !== 'Cache-Control' && !exposed.includes(name))).toEqual([]);
  });

  it.each(['https://evil.example', 'https://shop.example.evil.example', 'null'])(
    'is not, if it was not: %s',
    async (origin) => {
      const answer = await list(origin);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('vary')).toBe('Origin, Authorization, Accept');
    },
  );

  it('is answered a preflight without a key', async () => {
    const preflight = await service.stranger.send('OPTIONS', '/v1/pets', {
      headers: { Origin: SHOP, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
  });

  it('can read that its request is no good HTTP', async () => {
    const request = `GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\nOrigin: ${SHOP}\r\n\r\n`;
    const answer = await rawRequest(service.port, request);
    expect(answer).toMatch(/^HTTP\/1.1 400 [^]*"status":400}$/);
    expect(answer).toContain(`Access-Control-Allow-Origin: ${SHOP}\r\n`);
    expect(answer).toMatch(/^Access-Control-Expose-Headers: .*X-Request-Id/m);
    expect(answer).toMatch(/^Vary: Origin/m);
  });
});
