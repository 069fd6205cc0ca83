import { RequestMethod } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../../../src/platform/config/settings.js';
import type { ApiException } from '../../../../../src/platform/http/index.js';
import { JsonExpressAdapter } from '../../../../support/rooms/http.js';
import { serve, type Served } from '../../../../support/serve.js';

let shop: Served;

beforeAll(async () => {
  const adapter = new JsonExpressAdapter(readSettings({}));
  const named =
    (name: string) =>
    ({ params }: Request, response: Response) =>
      void response.json({ name, ...params });
  adapter.get('/pets', named('all pets'));
  adapter.post('/pets', named('a new pet'));
  adapter.delete('/pets/:id', named('no pet'));
  adapter.get('/v1/toys', named('all toys'));
  adapter.put('/v1/toys/:id', named('another toy'));
  adapter.get('/:version/toys/first', named('the first, of any version'));
  adapter.get('/v1/toys/:id', named('a toy'));
  adapter.use(((_, response, next) => {
    response.setHeader('Since', 'here');
    next();
  }) satisfies RequestHandler);
  adapter.get('/v1/toys/:id/parts', named('its parts'));
  const mark =
    (name: string): RequestHandler =>
    (_, response, next) => {
      response.setHeader(name, 'here');
      next();
    };
  adapter.getInstance().use(mark('Raw'));
  adapter.get('/v1/toys/:id/raw', named('behind a layer of the application'));
  adapter.createMiddlewareFactory(RequestMethod.ALL)('/v1/toys/*splat', mark('Middleware'));
  adapter.get('/v1/toys/:id/middleware', named('behind middleware of Nest'));
  adapter.all('/v1/balls/:id', named('any'));
  adapter.get('/v1/balls/:id', named('never'));
  adapter.setNotFoundHandler();
  const app = adapter.getInstance();
  app.use((error: ApiException, _: Request, response: Response, _next: NextFunction) => {
    const { status, headers, code, message } = error.answer;
    response.status(status).set(headers).json({ code, message });
  });
  shop = await serve(app);
});
afterAll(() => shop.close());

const ask = (method: string, path: string) => fetch(shop.origin + path, { method });

describe('the methods of a path', () => {
  it.each([
    ['DELETE', '/pets', 'GET, HEAD, OPTIONS, POST'],
    ['GET', '/pets/7', 'DELETE, OPTIONS'],
    ['DELETE', '/v1/toys', 'GET, HEAD, OPTIONS'],
    ['POST', '/v1/toys/7', 'GET, HEAD, OPTIONS, PUT'],
  ])(
    'are in Allow for OPTIONS, and for a method that the path does not have: %s %s',
    async (method, path, allow) => {
      const refused = await ask(method, path);
      expect([refused.status, refused.headers.get('Allow')]).toEqual([405, allow]);
      expect(await refused.json()).toEqual({
        code: 'method_not_allowed',
        message: `${path} has no ${method}. It has ${allow}.`,
      });
      const answer = await ask('OPTIONS', path);
      expect([answer.status, answer.headers.get('Allow'), await answer.text()]).toEqual([204, allow, '']);
    },
  );
});

describe('routes with the same prefix', () => {
  it('match in the order in which they and other routes are registered', async () => {
    expect(await (await ask('GET', '/v1/toys/first')).json()).toEqual({
      name: 'the first, of any version',
      version: 'v1',
    });
    expect((await ask('GET', '/v1/toys/7')).headers.has('Since')).toBe(false);
    const marks = ['Since', 'Raw', 'Middleware'];
    for (const [i, path] of ['parts', 'raw', 'middleware'].entries()) {
      const { headers } = await ask('GET', `/v1/toys/7/${path}`);
      expect(marks.filter((name) => headers.has(name))).toEqual(marks.slice(0, i + 1));
    }
    expect(await (await ask('GET', '/v1/balls/7')).json()).toEqual({ name: 'any', id: '7' });
  });
});

describe('a path without a route', () => {
  it.each([
    ['GET', '/pets/7/tail'],
    ['GET', '/v1/toys/'],
    ['GET', '/v1/Toys'],
    ['GET', '/v1/toysandmore'],
    ['GET', '/v1'],
  ])('returns 404: %s %s', async (method, path) => {
    const answer = await ask(method, path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'route_not_found' });
  });
});
