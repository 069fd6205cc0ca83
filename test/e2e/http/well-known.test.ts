import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const BASE_URL = 'https://shop.example/petstore/v1';

/** The service behind a proxy that strips `/petstore`. */
describe('a service below a prefix', () => {
  let service: Service;
  beforeAll(async () => {
    const environment = { BASE_URL, SECURITY_CONTACT: 'mailto:security@shop.example' };
    service = await startService(sqlite, { environment });
  });
  afterAll(() => service.stop());

  it('lists its APIs by their public addresses (RFC 9727)', async () => {
    const { json, headers } = await service.stranger.get('/.well-known/api-catalog');
    expect(headers.get('content-type')).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    expect(json).toEqual({
      linkset: [
        {
          anchor: BASE_URL,
          'service-desc': [{ href: 'https://shop.example/petstore/openapi.json', type: 'application/json' }],
          'service-doc': [{ href: 'https://shop.example/petstore/docs', type: 'text/html' }],
          status: [{ href: 'https://shop.example/petstore/readyz', type: 'application/json' }],
        },
      ],
    });
    const head = await service.stranger.send('HEAD', '/.well-known/api-catalog');
    expect([head.status, head.text, head.headers.get('link')]).toEqual([
      200,
      '',
      '<https://shop.example/petstore/.well-known/api-catalog>; rel="api-catalog"',
    ]);
  });

  it('says whom to tell of a weakness, for a year from its start (RFC 9116)', async () => {
    const expires = new Date(service.clock.now() + 365 * 86_400_000).toISOString();
    const answer = await fetch(`${service.stranger.origin}/.well-known/security.txt`);
    const [{ headers }, text] = [answer, await answer.text()];
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text.split('\n')).toEqual([
      'Contact: mailto:security@shop.example',
      `Expires: ${expires}`,
      'Canonical: https://shop.example/petstore/.well-known/security.txt',
      'Preferred-Languages: en',
      '',
    ]);
  });

  it('has the prefix in the index, in its document and in problems', async () => {
    const index = (await service.stranger.get('/')).json;
    expect(index).toMatchObject({
      documentation: '/petstore/docs',
      document: '/petstore/openapi.json',
      health: { alive: '/petstore/livez', ready: '/petstore/readyz' },
    });
    expect((index as unknown as { operations: string[] }).operations).toContain('GET /petstore/v1/pets');
    expect((await service.stranger.get('/openapi.json')).json).toMatchObject({
      servers: [{ url: BASE_URL }],
      externalDocs: { url: 'https://shop.example/petstore/docs' },
    });
    const Accept = 'application/problem+json';
    const { json } = await service.client.get('/v1/pets/1', { headers: { Accept } });
    expect(json).toMatchObject({
      type: '/petstore/docs/errors#pet_not_found',
      instance: '/petstore/v1/pets/1',
    });
  });
});

describe('a service without a contact', () => {
  it('has no file that names one, and answers in the Error body', async () => {
    const service = await startService(sqlite);
    const { status, json } = await service.stranger.get('/.well-known/security.txt');
    expect([status, json]).toMatchObject([404, { code: 'route_not_found', status: 404 }]);
    await service.stop();
  });
});
