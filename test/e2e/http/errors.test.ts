import { Controller, Get, NotFoundException, VERSION_NEUTRAL } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Public } from '../../../src/platform/http/route.decorators.js';
import { sqlite } from '../../support/engines.js';
import { rawRequest } from '../../support/http/raw-request.js';
import { type Service, startService } from '../../support/service.js';

/** Fails in the ways that a handler can. */
@Public()
@Controller({ path: 'failing', version: VERSION_NEUTRAL })
class FailingController {
  constructor(private readonly source: DataSource) {}

  @Get('bug')
  bug() {
    throw new TypeError('canary: /etc/passwd');
  }

  @Get('sql')
  sqlFault() {
    return this.source.query('SELECT canary FROM pets');
  }

  @Get('thrown-text')
  thrownText() {
    // oxlint-disable-next-line no-throw-literal -- what a careless library may do
    throw 'canary';
  }

  @Get('nest')
  nest() {
    throw new NotFoundException('no such thing');
  }
}

describe('a failure', () => {
  let service: Service;
  beforeAll(async () => {
    const failing = { module: class Failing {}, controllers: [FailingController] };
    service = await startService(sqlite, { modules: [failing] });
  });
  afterAll(() => service.stop());

  it.each(['bug', 'sql', 'thrown-text'])('of ours (%s) is 500 and leaks nothing', async (what) => {
    const answer = await service.stranger.get(`/failing/${what}`);
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({
      code: 'internal_error',
      message:
        'An error occurred inside the service. Try again later, a POST with an `Idempotency-Key`; tell the operator the `X-Request-Id`.',
      status: 500,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it("in the framework's words is told in its own message", async () => {
    const answer = await service.stranger.get('/failing/nest');
    expect(answer.json).toEqual({ code: 'not_found', message: 'no such thing', status: 404 });
  });

  it.each(['/v1', '/v1/cats', '/v1/Pets', '/v1/pets/', '//v1/pets', '/v2/pets', '/v1/pets/%zz'])(
    'to find anything at %s is 404',
    async (target) => {
      const answer = await service.client.get(target);
      expect(answer.status).toBe(404);
      expect(answer.json).toMatchObject({ code: 'route_not_found', status: 404 });
    },
  );

  it.each([
    ['DELETE', '/v1/pets', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/livez', 'GET, HEAD, OPTIONS'],
  ])('to find %s at %s is 405 and tells the methods', async (method, target, allow) => {
    const answer = await service.client.send(method, target);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    expect(answer.json).toMatchObject({ code: 'method_not_allowed' });
  });

  it('is not what OPTIONS ends in: 204 and the methods, without a key', async () => {
    const answer = await service.stranger.send('OPTIONS', '/v1/pets');
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  });

  it('is a problem for clients that accept problems (RFC 9457)', async () => {
    const asked = (target: string) =>
      service.client.get(target, { headers: { Accept: 'application/problem+json, application/json' } });
    const answer = await asked('/v1/pets/404');
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    const message = 'No animal has this id. Check the id, or list the animals to find it.';
    expect(answer.json).toEqual({
      type: '/docs/errors#pet_not_found',
      title: 'Pet not found',
      detail: message,
      instance: '/v1/pets/404',
      code: 'pet_not_found',
      message,
      status: 404,
    });
    expect((await asked('/v1/pets/404?x=1')).json).toMatchObject({ instance: '/v1/pets/404' });
  });

  const body = (answer: string) => JSON.parse(answer.split('\r\n\r\n')[1]!) as unknown;

  it.each([
    ['GET /v1/pets HTTP/1.1\r\nHost x\r\n\r\n', 400, 'invalid_parameter'],
    ['utter nonsense\r\n\r\n', 400, 'invalid_parameter'],
    [
      'GET /v1/pets HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\nHost: x\r\n\r\n',
      400,
      'invalid_parameter',
    ],
    [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('to be HTTP at all is answered in the same shape: %j', async (request, status, code) => {
    const answer = await rawRequest(service.port, request);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(body(answer)).toMatchObject({ code, status });
  });
});
