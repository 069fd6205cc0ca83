import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const BASE_URL = 'https://shop.example/petstore/v1';

/** The service behind a proxy that strips `/petstore`. */
describe('a service below a prefix', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(sqlite, { environment: { BASE_URL } });
  });
  afterAll(() => service.stop());

  it('lists its APIs by URLs that work behind any path (RFC 9727)', async () => {
    const { json, headers } = await service.stranger.get('/.well-known/api-catalog');
    expect(headers.get('content-type')).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    const { linkset } = json as unknown as { linkset: [Record<string, unknown>] };
    const at = (link: string) => new URL(link, 'https://shop.example/petstore/.well-known/api-catalog').href;
    const [{ anchor, ...relations }] = linkset;
    expect(at(anchor as string)).toBe(BASE_URL);
    const found = Object.entries(relations as Record<string, { href: string; type: string }[]>).flatMap(
      ([relation, links]) => links.map(({ href, type }) => [relation, at(href), type]),
    );
    expect(found).toEqual([
      ['service-desc', 'https://shop.example/petstore/openapi.json', 'application/json'],
      ['service-doc', 'https://shop.example/petstore/docs/', 'text/html'],
      ['service-doc', 'https://shop.example/petstore/docs/mcp', 'text/html'],
      ['service-meta', 'https://shop.example/petstore/docs/petstore.arazzo.yaml', 'text/yaml'],
      ['status', 'https://shop.example/petstore/readyz', 'application/json'],
    ]);
    const head = await service.stranger.send('HEAD', '/.well-known/api-catalog');
    expect([head.status, head.text, head.headers.get('link')]).toEqual([
      200,
      '',
      '<api-catalog>; rel="api-catalog"',
    ]);
  });

  it('has the prefix in the index, in its OpenAPI document and in error bodies', async () => {
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
