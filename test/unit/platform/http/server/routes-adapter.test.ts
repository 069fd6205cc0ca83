import express, { type NextFunction, type Request, type Response } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiException } from '../../../../../src/platform/http/errors/api-exception.js';
import { AllowedMethods, answerUnmatched } from '../../../../../src/platform/http/server/routes.adapter.js';
import { serve, type Served } from '../../../../support/serve.js';

let shop: Served;

beforeAll(async () => {
  const app = express();
  const allowed = new AllowedMethods();
  for (const [method, path] of [
    ['GET', '/pets'],
    ['POST', '/pets'],
    ['DELETE', '/pets/:id'],
  ] as const)
    allowed.add(method, path);
  app.get('/pets', (_, response) => void response.json([]));
  app.post('/pets', (_, response) => void response.json({}));
  app.delete('/pets/:id', (_, response) => void response.json({}));
  app.use((request, response) => answerUnmatched(allowed.of(request.path), request, response));
  app.use((error: ApiException, _: Request, response: Response, _next: NextFunction) => {
    const { status, headers, code, message } = error.answer;
    response.status(status).set(headers).json({ code, message });
  });
  shop = await serve(app);
});
afterAll(() => shop.close());

const ask = (method: string, path: string) => fetch(shop.origin + path, { method });

describe('a method that a path does not have', () => {
  it.each([
    ['DELETE', '/pets', 'GET, HEAD, OPTIONS, POST'],
    ['PATCH', '/pets', 'GET, HEAD, OPTIONS, POST'],
    ['GET', '/pets/7', 'DELETE, OPTIONS'],
  ])('is rejected, and the answer names those it has: %s %s', async (method, path, allow) => {
    const answer = await ask(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe(allow);
    expect(await answer.json()).toEqual({
      code: 'method_not_allowed',
      message: `${path} has no ${method}. It has ${allow}.`,
    });
  });
});

describe('a question for the methods of a path', () => {
  it('is answered without a body', async () => {
    const answer = await ask('OPTIONS', '/pets');
    expect([answer.status, answer.headers.get('Allow'), await answer.text()]).toEqual([
      204,
      'GET, HEAD, OPTIONS, POST',
      '',
    ]);
  });
});

describe('a path that nobody serves', () => {
  it.each(['GET', 'POST', 'OPTIONS'])('is not found by %s', async (method) => {
    const answer = await ask(method, '/pets/7/tail');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'route_not_found' });
  });
});
