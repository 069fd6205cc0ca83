import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../support/api-client.js';
import { sqlite } from '../../support/engines.js';
import { rawRequest } from '../../support/http/raw-request.js';
import { type Service, startService } from '../../support/service.js';

const unknown = 'psk_test_0000000000000000000000000000000000000000000000';

describe('the service', () => {
  let service: Service;
  let stranger: ApiClient;
  beforeAll(async () => {
    service = await startService(sqlite);
    ({ stranger } = service);
  });
  afterAll(() => service.stop());

  const operations: [string, string][] = [
    ['GET', '/v1/pets'],
    ['POST', '/v1/pets'],
    ['GET', '/v1/pets/1'],
  ];
  const missing = { status: 401, code: 'missing_api_key', challenge: 'Bearer realm="petstore"' };
  const invalid = {
    status: 401,
    code: 'invalid_api_key',
    challenge: 'Bearer realm="petstore", error="invalid_token"',
  };
  const knock = async (method: string, target: string, headers: Record<string, string> = {}) => {
    const answer = await stranger.send(method, target, { headers });
    const { code } = answer.json as { code: string };
    return { status: answer.status, code, challenge: answer.headers.get('www-authenticate') };
  };

  it.each(operations)('returns 401 without a key: %s %s', async (method, target) => {
    expect(await knock(method, target)).toEqual(missing);
  });

  it.each(operations)('returns 401 for an unknown key: %s %s', async (method, target) => {
    expect(await knock(method, target, { Authorization: `Bearer ${unknown}` })).toEqual(invalid);
  });

  it('does not accept a key in the query', async () => {
    expect(await knock('GET', `/v1/pets?access_token=${service.secret}`)).toEqual(missing);
  });

  it('rejects two Authorization headers, even if both keys are valid', async () => {
    const header = `Authorization: Bearer ${service.secret}\r\n`;
    for (const other of [header, 'Authorization: Basic c2hvcDpjYXQ=\r\n']) {
      const answer = await rawRequest(
        service.port,
        `GET /v1/pets HTTP/1.1\r\nHost: x\r\n${header}${other}\r\n`,
      );
      expect(answer).toContain('HTTP/1.1 401');
      expect(answer).toContain('"invalid_api_key"');
    }
  });

  it('does not read the body of a request without a key: broken JSON of any size is 401', async () => {
    const answer = await stranger.post('/v1/pets', '{'.repeat(1_000_000));
    expect(answer.status).toBe(401);
  });

  it('does not send 100 Continue to a client without a key', async () => {
    const head =
      'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n';
    const answer = await rawRequest(service.port, `${head}Expect: 100-continue\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });

  it('sends 100 Continue to a client with a key', async () => {
    const head =
      'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n';
    const key = `Authorization: Bearer ${service.secret}\r\n`;
    const answer = await rawRequest(service.port, `${head}${key}Expect: 100-continue\r\n\r\n{}`);
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 400 /);
  });

  it('checks the route before the key', async () => {
    expect((await stranger.get('/v1/cats')).status).toBe(404);
    expect((await stranger.send('DELETE', '/v1/pets')).status).toBe(405);
  });

  it('returns public resources without a key', async () => {
    for (const target of ['/', '/livez', '/readyz', '/openapi.json']) {
      expect((await stranger.get(target)).status).toBe(200);
    }
  });
});
