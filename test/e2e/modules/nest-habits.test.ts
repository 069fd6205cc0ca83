import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../../src/access/index.js';
import { onEveryEngine } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';
import { PrivateGuard, VisitsModule } from '../../support/modules/visits-module.js';

const SHOP = 'https://shop.example';

/** What a developer who knows Nest writes and expects: test/support/modules/visits-module.ts. */
describe("a module in Nest's own words", () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => {
      const environment = { CORS_ORIGINS: SHOP };
      service = await startService(engine, { environment, samples: [VisitsModule] });
    });
    afterAll(() => service.stop());

    /** Does not check responses against the document, which has no schema for bodies that the module does not describe. */
    const ask = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`http://127.0.0.1:${service.port}/v1/visits${path}`, {
        method,
        redirect: 'manual',
        headers: {
          Authorization: `Bearer ${service.secret}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json');
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        json: isJson ? JSON.parse(text) : undefined,
      };
    };
    const dose = { vaccine: 'rabies', millilitres: 1 };
    const visit = { on: '2026-12-01T10:00:00Z', kind: 'check', doses: [dose] };
    let days = 0;
    const book = async (more: object = {}) => {
      const on = new Date(Date.UTC(2027, 0, 1 + days++)).toISOString();
      return ask('POST', '', JSON.stringify({ ...visit, on, ...more }));
    };
    const idOf = (answer: { json: { id: number } }) => answer.json.id;

    it('has its body, and a Date goes out as RFC 3339', async () => {
      const booked = await book({ on: '2026-06-01T02:00:00+02:00', note: 'first' });
      expect(booked.status).toBe(201);
      expect(booked.json).toMatchObject({ on: '2026-06-01T00:00:00.000Z', kind: 'check', note: 'first' });
    });

    it('has free JSON as it came, and never an integer that a number does not hold', async () => {
      const text = '{"large":9007199254740991,"toString":{"__typename":null}}';
      expect((await ask('POST', '/echo', text)).text).toBe(text);
      const refused = await ask('POST', '/echo', '{"large":[{"id":9007199254740993}]}');
      expect([refused.status, refused.json.details]).toEqual([
        400,
        [
          {
            field: '/large/0/id',
            code: 'out_of_range',
            message: 'must be from -9007199254740991 to 9007199254740991',
          },
        ],
      ]);
    });

    it.each(['constructor', 'prototype'])('has no member %s, at any depth', async (name) => {
      const refused = await ask('POST', '/echo', JSON.stringify({ list: [{ [name]: 1 }] }));
      expect([refused.status, refused.json.details]).toEqual([
        400,
        [{ field: `/list/0/${name}`, code: 'unknown_field', message: 'is a name that no member may have' }],
      ]);
    });

    it('has each rule of class-validator kept, and every problem told at once', async () => {
      const wrong = {
        on: 'tomorrow',
        kind: 'party',
        note: 'x'.repeat(41),
        chip: 1.5,
        nte: 1,
        doses: [{ vaccine: 7, millilitres: 11 }, dose, { ...dose, millilitres: 0, extra: 1 }],
      };
      const refused = await ask('POST', '', JSON.stringify(wrong));
      expect(refused.status).toBe(400);
      expect(refused.json.code).toBe('validation_failed');
      const told = refused.json.details.map(
        ({ field, code, message }: Record<string, string>) => `${field} ${code}: ${message}`,
      );
      expect(told.toSorted()).toEqual([
        '/chip invalid_type: must be an integer number',
        '/doses too_long: must contain no more than 2 elements',
        '/doses/0/millilitres out_of_range: must not be greater than 10',
        '/doses/0/vaccine invalid_type: must be a string',
        '/doses/2/extra unknown_field: is not known; known are millilitres, vaccine',
        '/doses/2/millilitres out_of_range: must not be less than 1',
        '/kind invalid_enum_value: must be one of the following values: check, vaccination',
        '/note too_long: must be shorter than or equal to 40 characters',
        '/nte unknown_field: is not known; did you mean note',
        '/on invalid_format: must be a valid ISO 8601 date string',
      ]);
    });

    it.each([
      ['', 'invalid_json'],
      ['{"on":1,"on":2}', 'invalid_json'],
      ['[]', 'validation_failed'],
      ['{}', 'validation_failed'],
    ])('refuses %j as everywhere', async (body, code) => {
      expect((await ask('POST', '', body)).json).toMatchObject({ status: 400, code });
    });

    it('is asked in the order of all: its body is not read for a stranger', async () => {
      const stranger = await ask('POST', '', '{', { Authorization: 'Bearer nobody' });
      expect([stranger.status, stranger.json.code]).toEqual([401, 'invalid_api_key']);
      const form = await ask('POST', '', '{', { 'Content-Type': 'text/plain' });
      expect(form.json.code).toBe('unsupported_media_type');
    });

    it('needs any good key where it names no scope', async () => {
      const { secret } = await service.app
        .get(ApiKeyService)
        .issue({ name: 'narrow', scopes: ['pets:read'] }, 'test', 'tester');
      expect((await ask('GET', '', undefined, { Authorization: `Bearer ${secret}` })).status).toBe(200);
      expect((await fetch(`http://127.0.0.1:${service.port}/v1/visits`)).status).toBe(401);
    });

    it('has its query, alone and as a class', async () => {
      expect((await ask('GET', '/search?note=shy&page=3')).json).toEqual({ note: 'shy', page: 3 });
      expect((await ask('GET', '/search')).json).toEqual({ page: 1 });
      expect((await ask('GET', '/rules')).json).toEqual([]);
      expect((await ask('GET', '?kind=check&rows=5')).json).toEqual({
        kind: 'check',
        rows: 5,
        isNumber: true,
      });
    });

    it.each([
      ['?rows=0&knd=check', 'unknown_parameter', ['query.knd', 'query.rows']],
      ['?rows=many', 'invalid_parameter', ['query.rows']],
      ['/rules?x=1', 'unknown_parameter', ['query.x']],
      ['/search?page=x', 'invalid_parameter', ['query.page']],
      ['/search?note=a&note=b', 'invalid_parameter', ['query.note']],
      ['/x', 'invalid_parameter', ['path.id']],
    ])('tells problems of a parameter as everywhere: %s', async (path, code, fields) => {
      const refused = await ask('GET', path);
      expect([refused.status, refused.json.code]).toEqual([400, code]);
      expect(refused.json.details.map(({ field }: { field: string }) => field)).toEqual(fields);
    });

    it("leaves the rest to Nest's pipes", async () => {
      const refused = await ask('GET', '/1.5');
      expect(refused.json).toEqual({
        code: 'bad_request',
        message: 'Validation failed (numeric string is expected)',
        status: 400,
      });
    });

    it("answers with Nest's exceptions, in the words of who threw them", async () => {
      expect((await ask('GET', '/404')).json).toEqual({
        code: 'not_found',
        message: 'no such visit',
        status: 404,
      });
      const { json } = await book();
      const again = await ask('POST', '', JSON.stringify({ ...visit, on: json.on }));
      expect(again.json).toEqual({ code: 'conflict', message: 'taken', status: 409 });
      expect(again.headers.get('retry-after')).toBeNull();
      expect((await ask('GET', '/fails/object')).json).toEqual({
        code: 'forbidden',
        message: 'not today',
        status: 403,
      });
      expect((await ask('GET', '/fails/unpaid')).json).toEqual({
        code: 'unpaid',
        message: 'no money',
        status: 402,
      });
      expect((await ask('GET', '/fails/list')).json).toMatchObject({
        code: 'bad_request',
        message: 'one thing; another',
      });
      expect((await ask('GET', '/fails/http-errors')).json).toEqual({
        code: 'not_found',
        message: 'no room',
        status: 404,
      });
      const signIn = await ask('GET', '/signed');
      expect(signIn.json).toMatchObject({ status: 401, message: 'sign in' });
      expect(signIn.headers.get('www-authenticate')).toBe('Basic realm="visits"');
      const fault = await ask('GET', '/fails/else');
      expect([fault.status, fault.json.code, fault.text.includes('canary')]).toEqual([
        500,
        'internal_error',
        false,
      ]);
    });

    it('changes a field, clears it with null, and leaves it alone without', async () => {
      const id = idOf(await book({ note: 'shy' }));
      expect((await ask('PATCH', `/${id}`, '{}')).json.note).toBe('shy');
      expect((await ask('PATCH', `/${id}`, '{"note":"bold"}')).json.note).toBe('bold');
      expect((await ask('PATCH', `/${id}`, '{"note":null}')).json.note).toBeNull();
      expect((await ask('PATCH', `/${id}`, '{"note":7}')).json.details[0].code).toBe('invalid_type');
    });

    it('deletes, with the headers that stand everywhere', async () => {
      const id = idOf(await book());
      const gone = await ask('DELETE', `/${id}`);
      expect([gone.status, gone.text]).toEqual([204, '']);
      for (const name of ['x-request-id', 'cache-control', 'vary', 'x-content-type-options'])
        expect(gone.headers.get(name), name).not.toBeNull();
      expect((await ask('DELETE', `/${id}`)).status).toBe(404);
    });

    it('lets a page of another origin use the methods that it has', async () => {
      const preflight = await ask('OPTIONS', '/1', undefined, {
        Origin: SHOP,
        'Access-Control-Request-Method': 'DELETE',
      });
      expect(preflight.status).toBe(204);
      const methods = preflight.headers.get('access-control-allow-methods')!.split(/, ?/);
      expect(methods).toEqual(expect.arrayContaining(['DELETE', 'GET', 'PATCH']));
    });

    it('sends a file, a text, a redirection, and headers of its own', async () => {
      const file = await ask('GET', '/file');
      expect(file.headers.get('content-type')).toContain('text/markdown');
      expect(file.text).toBe(readFileSync('LICENSE', 'utf8'));
      const word = await ask('GET', '/word?word=hello');
      expect([word.text, word.headers.get('content-type')]).toEqual(['hello', 'text/plain; charset=utf-8']);
      const old = await ask('GET', '/old');
      expect([old.status, old.headers.get('location')]).toEqual([301, '/v1/visits']);
    });

    it('keeps the entity tag, the lifetime and the variants that a handler names', async () => {
      const { status, headers, json } = await ask('GET', '/counted');
      expect([status, json, headers.get('etag')]).toEqual([200, { visits: 2 }, '"visits-2"']);
      expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
        'private, max-age=60',
        'Accept-Language, Authorization, Accept',
      ]);
      const known = await ask('GET', '/counted', undefined, { 'If-None-Match': '"visits-2"' });
      expect([known.status, known.text]).toEqual([304, '']);
    });

    it('has a guard for all routes, which is asked once the key is good', async () => {
      const { asked } = service.app.get(PrivateGuard);
      expect((await ask('GET', '/private', undefined, { Authorization: 'Bearer none' })).status).toBe(401);
      expect(asked).not.toContain('/v1/visits/private');
      expect((await ask('GET', '/private')).json).toMatchObject({ code: 'forbidden', status: 403 });
      await service.client.get('/v1/pets');
      expect(asked).toEqual(expect.arrayContaining(['/v1/visits/private', '/v1/pets']));
    });

    it('has a filter for all routes, which knows its errors better', async () => {
      const { status, json } = await ask('GET', '/fails/room');
      expect([status, json]).toEqual([409, { rooms: 0 }]);
    });

    it('has interceptors of its own', async () => {
      expect((await ask('GET', '/wrapped')).json).toEqual({ data: { seen: '1970-01-01T00:00:00.000Z' } });
    });

    it('has settings of its own, by ConfigService', async () => {
      expect((await ask('GET', '/settings')).json).toEqual({ reminderDays: 14, unset: 'default' });
    });

    it('is in the document, with its bounds and its errors', async () => {
      const { json } = await service.stranger.get('/openapi.json');
      const { paths, components } = json as {
        paths: Record<string, Record<string, { responses: object }>>;
        components: { schemas: Record<string, { properties: Record<string, object> }> };
      };
      expect(Object.keys(paths['/visits']!['post']!.responses)).toEqual(
        expect.arrayContaining(['201', '400', '401', '413', '415', '500', '503']),
      );
      expect(Object.keys(paths['/visits/{id}']!['delete']!.responses)).toContain('204');
      expect(components.schemas['DoseBody']!.properties).toMatchObject({
        vaccine: { type: 'string', maxLength: 20 },
        millilitres: { description: 'How much of it.', minimum: 1, maximum: 10 },
      });
      expect(components.schemas['DoseBody']).toMatchObject({ required: ['millilitres', 'vaccine'] });
      expect(components.schemas['VisitBody']!.properties['chip']).toEqual({
        type: ['integer', 'null'],
        minimum: 1,
      });
      expect(paths['/visits']!['get']).toMatchObject({
        parameters: expect.arrayContaining([
          expect.objectContaining({
            name: 'kind',
            required: false,
            schema: { type: 'string', enum: ['check', 'vaccination'] },
          }),
          expect.objectContaining({
            name: 'rows',
            required: false,
            schema: { type: 'integer', minimum: 1, maximum: 50 },
          }),
        ]),
      });
      expect(components.schemas['VisitBody']!.properties['note']).toMatchObject({ type: ['string', 'null'] });
    });
  }));
