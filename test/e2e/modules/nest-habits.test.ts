import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../../src/access/index.js';
import { sqlite } from '../../support/engines.js';
import { PostersModule } from '../../support/modules/posters-module.js';
import { PrivateGuard, VisitsModule } from '../../support/modules/visits-module.js';
import { type Service, startService } from '../../support/service.js';

const SHOP = 'https://shop.example';

interface Json {
  readonly [member: string]: unknown;
  readonly details: { readonly field: string; readonly code: string }[];
}

/** What a developer who knows Nest writes and expects: the modules in test/support/modules. */
describe('a module in plain Nest', () => {
  let service: Service;
  beforeAll(async () => {
    const environment = { CORS_ORIGINS: SHOP };
    service = await startService(sqlite, { environment, samples: [VisitsModule, PostersModule] });
  });
  afterAll(() => service.stop());

  /** Does not check responses against the document, which has no schema for bodies that the module does not describe. */
  const ask = async (method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method,
      redirect: 'manual',
      headers: { Authorization: `Bearer ${service.secret}`, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json');
    const { status, headers: of } = answer;
    return { status, headers: of, text, json: (isJson && text ? JSON.parse(text) : undefined) as Json };
  };
  const get = (path: string, headers?: Record<string, string>) =>
    ask('GET', `/v1${path}`, undefined, headers);
  const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(method, `/v1${path}`, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });
  const post = (path: string, body: unknown, headers?: Record<string, string>) =>
    send('POST', path, body, headers);

  let days = 0;
  const book = (more: object = {}) => {
    const on = new Date(Date.UTC(2027, 0, 1 + days++)).toISOString();
    return post('/visits', { on, kind: 'check', ...more });
  };

  it('gets its body, and returns a Date as RFC 3339', async () => {
    const booked = await book({ on: '2026-06-01T02:00:00+02:00', note: 'first' });
    expect(booked.status).toBe(201);
    expect(booked.json).toMatchObject({ on: '2026-06-01T00:00:00.000Z', kind: 'check', note: 'first' });
    const { json } = await post('/visits', { on: 'tomorrow', kind: 'party', nte: 1 });
    expect(json.details.map(({ field }) => field).toSorted()).toEqual(['/kind', '/nte', '/on']);
  });

  it('requires a key without restriction if it names no scope', async () => {
    const keys = service.app.get(ApiKeyService);
    const { secret } = await keys.issue({ name: 'narrow', scopes: ['pets:read'] }, 'test', 'tester');
    expect((await get('/visits', { Authorization: `Bearer ${secret}` })).status).toBe(403);
    expect((await get('/visits')).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${service.port}/v1/visits`)).status).toBe(401);
  });

  it('gets its query, as single parameters and as a class, in every version', async () => {
    expect((await get('/visits/search?note=shy&page=3')).json).toEqual({ note: 'shy', page: 3 });
    expect((await get('/visits/search')).json).toEqual({ page: 1 });
    expect((await get('/visits?kind=check&rows=5')).json).toEqual({ kind: 'check', rows: 5, isNumber: true });
    expect((await ask('GET', '/v2/visits/newer?depth=1')).json).toEqual({ depth: '1' });
    expect((await ask('GET', '/v2/visits/newer?dept=1')).json).toMatchObject({ code: 'unknown_parameter' });
  });

  it('lets a page of another origin use its methods', async () => {
    const asked = { Origin: SHOP, 'Access-Control-Request-Method': 'DELETE' };
    const preflight = await ask('OPTIONS', '/v1/visits/1', undefined, asked);
    expect(preflight.status).toBe(204);
    const methods = preflight.headers.get('access-control-allow-methods')!.split(/, ?/);
    expect(methods).toEqual(expect.arrayContaining(['DELETE', 'GET', 'PATCH']));
  });

  it('sends a file, a text, a redirection, and headers of its own', async () => {
    const file = await get('/visits/file');
    expect(file.headers.get('content-type')).toContain('text/markdown');
    expect(file.text).toBe(readFileSync('LICENSE', 'utf8'));
    const word = await get('/visits/word?word=hello');
    expect([word.text, word.headers.get('content-type')]).toEqual(['hello', 'text/plain; charset=utf-8']);
    const old = await get('/visits/old');
    expect([old.status, old.headers.get('location')]).toEqual([301, '/v1/visits']);
    const { headers } = await get('/posters/framed');
    expect(
      ['x-frame-options', 'referrer-policy', 'x-content-type-options'].map((name) => headers.get(name)),
    ).toEqual(['SAMEORIGIN', null, 'nosniff']);
  });

  it('keeps the entity tag, the lifetime and the variants that a handler sets', async () => {
    const { status, headers, json } = await get('/visits/counted');
    expect([status, json, headers.get('etag')]).toEqual([200, { visits: 2 }, '"visits-2"']);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
      'private, max-age=60',
      'Accept-Language, Authorization, Accept',
    ]);
    const known = await get('/visits/counted', { 'If-None-Match': '"visits-2"' });
    expect([known.status, known.text]).toEqual([304, '']);
  });

  it('may have a guard for all routes, which runs after the check of the key', async () => {
    const { asked } = service.app.get(PrivateGuard);
    expect((await get('/visits/private', { Authorization: 'Bearer none' })).status).toBe(401);
    expect(asked).not.toContain('/v1/visits/private');
    expect((await get('/visits/private')).json).toMatchObject({ code: 'forbidden', status: 403 });
    await service.client.get('/v1/pets');
    expect(asked).toEqual(expect.arrayContaining(['/v1/visits/private', '/v1/pets']));
  });

  it('may have a filter for all routes, which handles its own errors, and settings', async () => {
    const { status, json } = await get('/visits/fails/room');
    expect([status, json]).toEqual([409, { rooms: 0 }]);
    expect((await get('/visits/settings')).json).toEqual({ reminderDays: 14, unset: 'default' });
  });

  it('is in the OpenAPI document, with its errors and with the common way to send a key', async () => {
    const { json } = await service.stranger.get('/openapi.json');
    const { paths } = json as { paths: Record<string, Record<string, { responses: object }>> };
    expect(Object.keys(paths['/visits']!['post']!.responses)).toEqual(
      expect.arrayContaining(['201', '400', '401', '413', '415', '500', '503']),
    );
    expect(Object.keys(paths['/visits/{id}']!['delete']!.responses)).toContain('204');
    expect(paths['/visits']!['get']).not.toHaveProperty('security');
  });

  it('gets 500 for a header that cannot be sent, and the service continues', async () => {
    const refused = await get(`/posters/file?name=${encodeURIComponent('日本.txt')}`);
    expect([refused.status, refused.json]).toMatchObject([500, { code: 'internal_error' }]);
    const { status, headers } = await get('/posters/file?name=cat.txt');
    expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="cat.txt"']);
  });

  it('returns an Error body for a file that cannot be read, and cuts off a response that has begun', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, json } = await ask(method, '/v1/posters/missing');
      expect([status, headers.get('content-disposition'), headers.get('content-type')]).toEqual([
        500,
        null,
        'application/json; charset=utf-8',
      ]);
      if (method === 'GET') expect(json).toMatchObject({ code: 'internal_error', status: 500 });
    }
    expect(await get('/posters/missing-as-told')).toMatchObject({ status: 404, text: 'Not here.' });
    await expect(get('/posters/cut')).rejects.toThrow('terminated');
    expect((await get('/posters/framed')).status).toBe(200);
  });

  it('may have interceptors that change items of lists and stored responses', async () => {
    expect((await get('/posters')).text).toBe('{"data":[{"id":9007199254740993}]}');
    const key = { 'Idempotency-Key': 'poster-1' };
    const first = await post('/posters', { title: 'Lost' }, key);
    expect([first.status, first.text]).toEqual([201, '{"data":{"id":9007199254740993,"title":"Lost"}}']);
    const again = await post('/posters', { title: 'Lost' }, key);
    expect([again.headers.get('idempotency-replayed'), again.text]).toEqual(['true', first.text]);
  });

  it('may return an object that it changes later', async () => {
    const view = (key: string) => post('/posters/views', { title: 'Lost' }, { 'Idempotency-Key': key });
    const answers = [await view('1'), await view('2'), await get('/posters/views'), await view('1')];
    expect(answers.map(({ json }) => json['count'])).toEqual([1, 2, 2, 1]);
  });

  it('may have method decorators that wrap a handler', async () => {
    expect(await get('/posters/logged?name=Rex')).toMatchObject({ status: 200, text: '{"name":"Rex"}' });
    expect((await get('/posters/logged?nam=Rex')).text).toContain('did you mean name');
    expect((await post('/posters/logged', { title: 1 })).text).toContain('"field":"/title"');
  });

  it('may have a body of a class that contains itself', async () => {
    const caption = { text: 'a', below: [{ text: 'b', below: [] }] };
    expect(await post('/posters/captions', caption)).toMatchObject({ status: 201, json: caption });
    const wrong = await post('/posters/captions', {
      ...caption,
      below: [{ ...caption, below: [{ text: 1 }] }],
    });
    expect(wrong.json.details.map(({ field }) => field)).toContain('/below/0/below/0/text');
  });

  it('gets bodies that its own parser has read', async () => {
    const form = await ask('POST', '/v1/posters/forms', new URLSearchParams({ title: 'Lost' }));
    expect(form).toMatchObject({ status: 201, text: '{"title":"Lost"}' });
    const scan = await ask('POST', '/v1/posters/scans', '12345', { 'Content-Type': 'image/png' });
    expect(scan).toMatchObject({ status: 201, text: '{"length":5}' });
  });
});
