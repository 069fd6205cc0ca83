import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { rawRequest } from '../../support/http/raw-request.js';
import { type Service, startService } from '../../support/service.js';

describe('HTTP', () => {
  let service: Service;
  /** The response to a request that times out after 5 s of real time, while the other tests run. */
  let tooSlow: Promise<string>;
  beforeAll(async () => {
    service = await startService(sqlite);
    tooSlow = raw('GET /livez HTTP/1.1\nHost: a\nX-Half');
    await service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
  });
  afterAll(() => service.stop());

  const raw = (request: string) => rawRequest(service.port, request.replaceAll('\n', '\r\n'));
  const errorOf = (answer: string) =>
    JSON.parse(answer.split('\r\n\r\n')[1]!) as { code: string; status: number };

  it('returns the id of a request', async () => {
    const answer = await service.client.get('/v1/pets', { headers: { 'X-Request-Id': 'order.66-a_B' } });
    expect(answer.headers.get('x-request-id')).toBe('order.66-a_B');
  });

  it.each(['', 'x'.repeat(129), '<script>'])('creates an id for a request with the id %j', async (id) => {
    const answer = await service.client.get('/v1/pets', { headers: { 'X-Request-Id': id } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('sends an id and the security headers with every response', async () => {
    const answers = [
      await service.client.get('/v1/pets'),
      await service.stranger.get('/v1/pets'),
      await service.client.get('/nowhere'),
      await service.client.send('OPTIONS', '/v1/pets'),
      await service.stranger.get('/livez'),
    ];
    for (const { headers } of answers) {
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-powered-by')).toBeNull();
    }
    expect(await raw('nonsense\n\n')).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/i);
  });

  it('names Authorization in Vary only if the operation needs a key', async () => {
    const vary = async (path: string) => (await service.client.get(path)).headers.get('vary');
    expect(await vary('/v1/pets')).toBe('Authorization, Accept');
    for (const path of ['/livez', '/readyz']) expect(await vary(path)).toBe('Accept');
  });

  it('sends Strict-Transport-Security only if a trusted proxy says that the client used TLS', async () => {
    const behindProxy = await startService(sqlite, { beside: service, environment: { TRUST_PROXY: '1' } });
    const sent = async ({ stranger }: Service, protocol: string) => {
      const { headers } = await stranger.get('/nowhere', { headers: { 'X-Forwarded-Proto': protocol } });
      return headers.get('strict-transport-security');
    };
    expect([await sent(service, 'https'), await sent(behindProxy, 'http')]).toEqual([null, null]);
    expect(await sent(behindProxy, 'https')).toBe('max-age=31536000; includeSubDomains');
    await behindProxy.stop();
  });

  it('marks responses as private, and returns 304 for a current entity tag', async () => {
    for (const [target, tag] of [
      ['/v1/pets', /^W\/"[\w-]+"$/],
      ['/v1/pets/1', /^"[\w-]+"$/],
    ] as const) {
      const answer = await service.client.get(target);
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
      expect(answer.headers.get('vary')).toContain('Authorization');
      const etag = answer.headers.get('etag')!;
      expect(etag).toMatch(tag);
      for (const given of [etag, '*', `"other", ${etag.replace('W/', '')}`]) {
        // A browser adds this by itself.
        const headers = { 'If-None-Match': given, 'Cache-Control': 'no-cache' };
        const known = await service.client.get(target, { headers });
        expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', etag]);
      }
      const other = await service.client.get(target, { headers: { 'If-None-Match': '"other"' } });
      expect([other.status, other.text]).toEqual([200, answer.text]);
    }
  });

  it('changes the entity tag as soon as the content changes', async () => {
    const before = await service.client.get('/v1/pets');
    await service.client.post('/v1/pets', { name: 'Max', categoryId: 7 });
    const after = await service.client.get('/v1/pets', {
      headers: { 'If-None-Match': before.headers.get('etag')! },
    });
    expect(after.status).toBe(200);
  });

  it.each(['text/html', '*/*;q=0'])('returns JSON whatever the client accepts: %j', async (accept) => {
    const answer = await service.client.get('/v1/pets', { headers: { Accept: accept } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
  });

  it.each([
    ['no Host', 'GET /livez HTTP/1.1\n\n', 400, 'invalid_parameter'],
    ['a bad Host of HTTP/1.0', 'GET /livez HTTP/1.0\nHost: user@h\n\n', 400, 'invalid_parameter'],
    ['an absolute URL without a host', 'GET http://[::1 HTTP/1.1\nHost: a\n\n', 400, 'invalid_parameter'],
    [
      'an absolute URL with an empty host',
      'OPTIONS http://[ HTTP/1.1\nHost: a\n\n',
      400,
      'invalid_parameter',
    ],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\nHost: evil.example\n\n', 405, 'method_not_allowed'],
  ])('rejects %s', async (_, request, status, code) => {
    const answer = await raw(request);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(errorOf(answer)).toMatchObject({ code, status });
  });

  it.each([
    '//user@host/v1/pets#',
    '//%zz@x/#',
    '/livez#part',
    '/livez\tand',
    'http://%zz@x/livez',
    'http://user@x/livez',
    'http://x/livez#part',
    String.raw`http://x\livez`,
  ])('rejects the target %j, of which a proxy may read another path or host', async (target) => {
    const head = `GET ${target} HTTP/1.1\nHost: a\n`;
    for (const accept of ['', 'Accept: application/problem+json\n']) {
      const answer = await raw(`${head}${accept}\n`);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(errorOf(answer)).toMatchObject({ code: 'invalid_parameter', status: 400 });
    }
  });

  it('rejects a target without a readable path and without Host as a problem', async () => {
    const answer = await raw('GET http://%zz@x/ HTTP/1.1\nAccept: application/problem+json\n\n');
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(errorOf(answer)).toMatchObject({ code: 'invalid_parameter', instance: '/' });
  });

  it.each(['http://x/livez', 'HTTPS://x:80/livez?a=b', '/livez?a=%23'])(
    'accepts the target %s',
    async (target) => {
      expect(await raw(`GET ${target} HTTP/1.1\nHost: a\n\n`)).toMatch(/^HTTP\/1.1 200 /);
    },
  );

  it.each(['', 'user@h', 'h/path', 'a,b', '[::g]', '::1', 'h:http', 'h:80:80', 'a%2', 'a%00b?'])(
    'rejects the Host %j',
    async (host) => {
      const answer = await raw(`GET /livez HTTP/1.1\nHost: ${host}\n\n`);
      expect(errorOf(answer)).toMatchObject({ code: 'invalid_parameter', status: 400 });
    },
  );

  it.each(['pets.example.com:8080', 'h:', 'H_1~x', 'b%C3%BCcher.example', '[2001:db8::1.2.3.4]:443'])(
    'accepts the Host %s',
    async (host) => {
      const answer = await raw(`GET /livez HTTP/1.1\nHost: ${host}\n\n`);
      expect(answer).toMatch(/^HTTP\/1.1 200 /);
    },
  );

  it('accepts a request of HTTP/1.0 without a Host', async () => {
    expect(await raw('GET /livez HTTP/1.0\n\n')).toMatch(/^HTTP\/1.1 200 /);
  });

  it('returns the methods of all routes for OPTIONS * (RFC 9110 section 9.3.7), and 404 for other requests to *', async () => {
    const answer = await raw('OPTIONS * HTTP/1.1\nHost: a\nConnection: close\n\n');
    // The methods of all operations; a module may add another one.
    const { json } = await service.stranger.get('/openapi.json');
    const { paths } = json as unknown as { paths: Record<string, Record<string, unknown>> };
    const methods = Object.values(paths).flatMap((item) =>
      Object.keys(item).map((name) => name.toUpperCase()),
    );
    const all = [...new Set([...methods, 'HEAD', 'OPTIONS'])].toSorted();
    expect(all).toEqual(expect.arrayContaining(['GET', 'PATCH', 'POST']));
    expect(answer).toMatch(/^HTTP\/1.1 204 /);
    expect(answer).toContain(`\r\nAllow: ${all.join(', ')}\r\n`);
    expect(await raw('GET * HTTP/1.1\nHost: a\n\n')).toMatch(/^HTTP\/1.1 404 /);
  });

  it('ignores every expectation except 100-continue', async () => {
    expect(await raw('GET /livez HTTP/1.1\nHost: a\nExpect: miracles\n\n')).toMatch(/^HTTP\/1.1 200 /);
  });

  it('returns 408 in the shape of all errors to a client that is too slow', async () => {
    const answer = await tooSlow;
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(errorOf(answer)).toMatchObject({ code: 'request_timeout', status: 408 });
  });
});
