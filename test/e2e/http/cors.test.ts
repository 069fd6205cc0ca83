import { All, Controller, Get, Headers, Module, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdField, Operation } from '../../../src/platform/http/index.js';
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

class TagBody {
  @IdField({ description: 'Identifier of the tag.', example: 1 })
  id!: bigint;
}

@ApiHeader({ name: 'X-Shop', description: 'The shop.' })
@ApiResponse({ status: 200, description: 'The tags.', headers: { 'X-Total': { description: 'How many.' } } })
@Controller({ path: 'tags', version: ['1', VERSION_NEUTRAL] })
class TagsController {
  @Get()
  @ApiHeader({ name: 'x-request-id', description: 'As everywhere.' })
  @Operation({
    name: 'getTag',
    summary: 'Returns a tag.',
    description: 'The first.',
    success: {
      status: 200,
      description: 'The tag.',
      body: TagBody,
      headers: { 'X-Page': { description: 'It.' } },
    },
  })
  get(@Headers('X-Seller') _seller?: string): TagBody {
    return { id: 1n };
  }

  @All('any')
  any() {}
}

@Module({ controllers: [TagsController] })
class TagsModule {}

// overload.test.ts tests CORS for any origin while there are too many requests.
describe('a page of another origin', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(sqlite, { environment: { CORS_ORIGINS: SHOP }, modules: [TagsModule] });
  });
  afterAll(() => service.stop());

  const list = (origin: string) => service.client.get('/v1/pets', { headers: { Origin: origin } });

  it('gets the CORS headers if the origin is configured', async () => {
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
    // A page may read Cache-Control without permission (Fetch, section 2.2.2, CORS-safelisted response-header name).
    const hidden = declared.filter((name) => name !== 'Cache-Control' && !exposed.includes(name));
    const remedy =
      'Declare these headers of a module in `success.headers` of the operation, or by @ApiResponse on the handler, so that the service allows them.';
    expect(hidden, remedy).toEqual([]);
  });

  it.each(['https://evil.example', 'https://shop.example.evil.example', 'null'])(
    'gets no CORS headers if the origin is not configured: %s',
    async (origin) => {
      const answer = await list(origin);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('vary')).toBe('Origin, Authorization, Accept');
    },
  );

  // Without the checking client, because in the document OPTIONS of a route is the operation of its handler.
  const ask = (path: string, method: string, origin = SHOP) =>
    fetch(service.stranger.origin + path, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': method },
    });
  const allowedBy = ({ headers }: { readonly headers: Headers }) =>
    headers.get('access-control-allow-methods');

  it.each([
    ['/v1/pets', 'POST', 'GET, HEAD, OPTIONS, POST', 'GET, HEAD, OPTIONS, POST'],
    // The requests themselves then get 405 and 404.
    ['/v1/pets', 'DELETE', 'GET, HEAD, OPTIONS, POST, DELETE', 'GET, HEAD, OPTIONS, POST'],
    ['/v1/cats', 'GET', 'GET', null],
    ['/docs/nothing', 'PUT', 'PUT', null],
    ['/v1/pets/%zz', 'REPORT', 'GET, HEAD, OPTIONS, REPORT', 'GET, HEAD, OPTIONS'],
    [
      '/v1/tags/any',
      'GET',
      'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
      'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
    ],
  ])(
    'gets a response to a preflight for every URL without a key: %s, %s',
    async (path, method, allowed, allow) => {
      const preflight = await ask(path, method);
      expect([preflight.status, await preflight.text()]).toEqual([204, '']);
      expect(preflight.headers.get('access-control-allow-origin')).toBe(SHOP);
      expect([allowedBy(preflight), preflight.headers.get('allow')]).toEqual([allowed, allow]);
      for (const name of ['content-length', 'content-type']) expect(preflight.headers.has(name)).toBe(false);
      const other = await ask(path, method, 'https://evil.example');
      expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([204, null]);
    },
  );

  it('gets the same response as other clients to any other OPTIONS request', async () => {
    const plain = (path: string, headers: Record<string, string>) =>
      service.stranger.send('OPTIONS', path, { headers });
    const method = { 'Access-Control-Request-Method': 'GET' };
    const others: Record<string, string>[] = [
      { Origin: SHOP },
      method,
      { Origin: SHOP, 'Access-Control-Request-Method': 'GET, PUT' },
    ];
    for (const headers of others) {
      expect((await plain('/v1/cats', headers)).status).toBe(404);
      const answer = await plain('/v1/pets', headers);
      expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
    }
    const unlike = await startService(sqlite, { beside: service });
    const without = await unlike.stranger.send('OPTIONS', '/v1/cats', {
      headers: { Origin: SHOP, ...method },
    });
    expect([without.status, allowedBy(without)]).toEqual([404, null]);
    await unlike.stop();
  });

  it('can read that a URL does not exist, and that a URL does not support a method', async () => {
    const missing = await service.client.get('/v1/cats', { headers: { Origin: SHOP } });
    const wrong = await service.client.send('DELETE', '/v1/pets', { headers: { Origin: SHOP } });
    expect([missing, wrong].map(({ status }) => status)).toEqual([404, 405]);
    for (const { headers } of [missing, wrong]) expect(headers.get('access-control-allow-origin')).toBe(SHOP);
  });

  it('may send and read the headers that routes document, each listed once', async () => {
    const { headers } = await ask('/v1/tags', 'GET');
    const namesIn = (name: string) => headers.get(name)!.split(',');
    const [allowed, exposed] = [
      namesIn('access-control-allow-headers'),
      namesIn('access-control-expose-headers'),
    ];
    expect(allowed.slice(-2)).toEqual(['X-Seller', 'X-Shop']);
    expect(exposed.slice(-2)).toEqual(['X-Page', 'X-Total']);
    for (const names of [allowed, exposed])
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    const answer = await service.client.get('/v1/tags', { headers: { Origin: SHOP } });
    expect(answer.headers.get('access-control-expose-headers')).toBe(exposed.join(','));
  });

  it('can read that its request is malformed', async () => {
    const request = `GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\nOrigin: ${SHOP}\r\n\r\n`;
    const answer = await rawRequest(service.port, request);
    expect(answer).toMatch(/^HTTP\/1.1 400 [^]*"status":400}$/);
    expect(answer).toContain(`Access-Control-Allow-Origin: ${SHOP}\r\n`);
    expect(answer).toMatch(/^Access-Control-Expose-Headers: .*X-Request-Id/m);
    expect(answer).toMatch(/^Vary: Origin/m);
  });

  it.each(['http://[', 'http://%zz@x/v1/pets', '//%zz@x/#'])(
    'can read that the URL of an OPTIONS request is malformed: %s',
    async (target) => {
      const answer = await rawRequest(
        service.port,
        `OPTIONS ${target} HTTP/1.1\r\nHost: a\r\nOrigin: ${SHOP}\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1.1 400 [^]*"status":400}$/);
      expect(answer).toContain(`Access-Control-Allow-Origin: ${SHOP}\r\n`);
    },
  );
});
