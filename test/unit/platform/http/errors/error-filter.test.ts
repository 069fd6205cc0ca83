import { HttpException, Logger, MethodNotAllowedException, UnauthorizedException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import express, { type NextFunction, type Request, type Response } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainError } from '../../../../../src/kernel/domain-error.js';
import { ErrorFilter, RoutesAdapter, uriReference } from '../../../../support/rooms/http.js';
import { ApiException } from '../../../../../src/platform/http/index.js';
import { catalogueOf } from '../../../../support/error-catalogue.js';
import { serve, type Served } from '../../../../support/serve.js';

class Stranger extends DomainError {
  static readonly kind = 'unauthenticated';
  static readonly code = 'stranger';
  static readonly meaning = 'Nobody knows you.';
  static readonly remedy = 'Say who you are.';
}

let shop: Served;
let filter: ErrorFilter;

beforeAll(async () => {
  Logger.overrideLogger(false);
  const app = express();
  const host = new HttpAdapterHost<RoutesAdapter>();
  host.httpAdapter = new RoutesAdapter(app);
  filter = new ErrorFilter(await catalogueOf(), host);
  app.get('/closed', () => {
    throw new ApiException('method_not_allowed', 'Grüße: use POST.', { headers: { Allow: 'POST' } });
  });
  app.get('/half', (_, response) => {
    response.write('{"name":"R');
    throw new Error('secret');
  });
  app.get('/late', (_, response) => {
    response.end('whole');
    throw new Error('secret');
  });
  app.get('/throttled', (_, response) => {
    response.setHeader('Retry-After', '60').setHeader('WWW-Authenticate', 'Basic realm="mine"');
    throw new HttpException('slow down', 429);
  });
  for (const status of [401, 403, 405, 429, 503])
    app.get(`/bare/${status}`, () => {
      throw new HttpException('x', status);
    });
  app.get('/unknown', () => {
    throw new Stranger();
  });
  app.get('/shut', () => {
    throw new ApiException('method_not_allowed');
  });
  host.httpAdapter.post('/shut', () => {});
  app.get('/shut/mine', (_, response) => {
    response.setHeader('Allow', 'PUT');
    throw new MethodNotAllowedException();
  });
  app.get('/mine', (_, response) => {
    response.setHeader('WWW-Authenticate', 'Basic realm="mine"');
    throw new UnauthorizedException();
  });
  app.get('/ours', (_, response) => {
    response.setHeader('Retry-After', '60');
    throw new ApiException('overloaded', 'Later.');
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    filter.catch(error, new ExecutionContextHost([request, response])),
  );
  shop = await serve(app);
});
afterAll(() => shop.close());

describe('an error in a response', () => {
  it('has the status, the headers and the body of the error', async () => {
    const answer = await fetch(`${shop.origin}/closed`);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe('POST');
    expect(await answer.json()).toEqual({
      code: 'method_not_allowed',
      message: 'Grüße: use POST.',
      status: 405,
    });
  });

  it('has the members of RFC 9457, with the path without the query, for a client that accepts them', async () => {
    const headers = { Accept: 'application/problem+json' };
    const answer = await fetch(`${shop.origin}/closed?key=secret`, { headers });
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(await answer.json()).toEqual({
      type: '/docs/errors#method_not_allowed',
      title: 'Method not allowed',
      detail: 'Grüße: use POST.',
      instance: '/closed',
      code: 'method_not_allowed',
      message: 'Grüße: use POST.',
      status: 405,
    });
  });

  it('cuts off a response that was sent in part, so that no client accepts it as complete', async () => {
    const reading = fetch(`${shop.origin}/half`).then((answer) => answer.text());
    await expect(reading).rejects.toThrow();
  });

  it('changes nothing after the end of the response', async () => {
    expect(await (await fetch(`${shop.origin}/late`)).text()).toBe('whole');
  });
});

describe('an error has the headers that HTTP requires for its status', () => {
  it.each([
    ['/bare/401', 'WWW-Authenticate', 'Bearer realm="petstore"'],
    // Another key would not help after a bare 403, so the response does not ask for one.
    ['/bare/403', 'WWW-Authenticate', null],
    ['/bare/429', 'Retry-After', '1'],
    ['/bare/503', 'Retry-After', '1'],
    ['/unknown', 'WWW-Authenticate', 'Bearer realm="petstore"'],
    ['/shut', 'Allow', 'OPTIONS, POST'],
    ['/shut/mine', 'Allow', 'PUT'],
    ['/bare/405', 'Allow', ''],
  ])('%s: %s', async (path, name, value) => {
    expect((await fetch(shop.origin + path)).headers.get(name)).toBe(value);
  });
});

describe('the headers of an exception of Nest', () => {
  it.each([
    ['/throttled', 'Retry-After', '60'],
    ['/mine', 'WWW-Authenticate', 'Basic realm="mine"'],
    ['/ours', 'Retry-After', '1'],
  ])(
    'keep what was set before the exception, except for exceptions of the service: %s',
    async (path, name, value) => {
      expect((await fetch(shop.origin + path)).headers.get(name)).toBe(value);
    },
  );
});

it.each(['ws', 'graphql'])('an error of a call without HTTP is thrown again: %s', (type) => {
  const error = new Error('secret');
  const host = new ExecutionContextHost([{}, {}]);
  host.setType(type);
  expect(() => filter.catch(error, host)).toThrow(error);
});

const PROBLEM = 'application/problem+json';

it.each([
  [PROBLEM, PROBLEM],
  [`${PROBLEM}, application/json`, PROBLEM],
  [`application/json;q=0.5, ${PROBLEM}`, PROBLEM],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  [`application/json, ${PROBLEM};q=0.5`, 'application/json'],
  [`${PROBLEM};q=0, */*`, 'application/json'],
])('the media type of an error for a client that accepts "%s" is %s', async (Accept, type) => {
  const { headers } = await fetch(`${shop.origin}/closed`, { headers: { Accept } });
  expect(headers.get('Content-Type')).toBe(`${type}; charset=utf-8`);
});

it.each([
  ['/v1/pets/1', '/v1/pets/1'],
  ["/a-._~!$&'()*+,;=:@b/%C3%BC", "/a-._~!$&'()*+,;=:@b/%C3%BC"],
  ['/v1/pets/"<>\\^`{|}', '/v1/pets/%22%3C%3E%5C%5E%60%7B%7C%7D'],
  ['/\u00c3\u00bc', '/%C3%BC'],
  ['/100%/%zz/%4', '/100%25/%25zz/%254'],
  ['/a[1]', '/a%5B1%5D'],
  ['//evil.example/v1/pets', '/.//evil.example/v1/pets'],
  ['*', '*'],
])('the instance of a problem is a URI reference (RFC 9457 section 3.1.5): %s is %s', (path, reference) => {
  expect(uriReference(path)).toBe(reference);
  expect(new URL(reference, 'http://here.example/').host).toBe('here.example');
});
