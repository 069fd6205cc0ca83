import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { NextFunction, Request, Response } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../../../src/platform/config/settings.js';
import type { ApiException } from '../../../../../src/platform/http/index.js';
import { factsOf, JsonExpressAdapter, QueryParametersGuard } from '../../../../support/rooms/http.js';
import { serve, type Served } from '../../../../support/serve.js';

/** The names that each route has. The names of `any` are not known, as for a route with a class for its query. */
const NAMES: Readonly<Record<string, readonly string[] | undefined>> = {
  some: ['size', 'colour'],
  none: [],
  any: undefined,
  // Reacts to messages of a WebSocket.
  socket: [],
};

let shop: Served;

beforeAll(async () => {
  const adapter = new JsonExpressAdapter(readSettings({}));
  adapter.get('/:route', (request: Request, response: Response) => {
    const route = String(request.params['route']);
    const queryNames = NAMES[route];
    factsOf(request).route = { operation: 'listPets', ...(queryNames && { queryNames }) };
    const context = new ExecutionContextHost([request, response]);
    context.setType(route === 'socket' ? 'ws' : 'http');
    response.json(new QueryParametersGuard().canActivate(context));
  });
  const app = adapter.getInstance();
  app.use((error: ApiException, _: Request, response: Response, _next: NextFunction) => {
    const { status, code, details } = error.answer;
    response.status(status).json({ code, details });
  });
  shop = await serve(app);
});
afterAll(() => shop.close());

const ask = async (path: string) => (await fetch(shop.origin + path)).json();

describe('a query parameter', () => {
  it.each([
    '/some',
    '/some?',
    '/some?size=3',
    '/some?colour=red&size=3&size=4',
    '/none',
    '/none?',
    '/any?size=3',
  ])('is accepted if the route has it, or has a class for its query: %s', async (path) =>
    expect(await ask(path)).toBe(true),
  );

  it('is rejected if the route does not have it, beside all others that it does not have', async () => {
    const long = 'x'.repeat(70);
    expect(await ask(`/some?sice=3&size=3&${long}=1`)).toEqual({
      code: 'unknown_parameter',
      details: [
        { field: 'query.sice', code: 'unknown_field', message: 'is not known; did you mean size' },
        {
          field: `query.${'x'.repeat(64)}…`,
          code: 'unknown_field',
          message: 'is not known; known are size, colour',
        },
      ],
    });
    expect(await ask('/none?size=3')).toEqual({
      code: 'unknown_parameter',
      details: [{ field: 'query.size', code: 'unknown_field', message: 'is not known; none is' }],
    });
  });

  it('belongs to requests over HTTP only', async () => {
    expect(await ask('/socket?size=3')).toBe(true);
  });
});
