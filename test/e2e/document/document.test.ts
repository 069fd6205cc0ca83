import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/platform/config/settings.js';
import { documentUrls, Routes } from '../../support/rooms/http.js';
import { addressesIn } from '../../../tools/openapi/addresses.js';
import { presentText } from '../../../tools/openapi/written-documents.js';
import { sqlite } from '../../support/engines.js';
import { resolvedDocument } from '../../support/http/resolved-document.js';
import { DOCUMENTED } from '../../support/module-facts.js';
import { type Service, startService } from '../../support/service.js';

interface Described {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: object };
}

interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly description: string;
  readonly responses: Record<string, { readonly headers: Record<string, object> }>;
}

describe('the OpenAPI document', () => {
  let service: Service;
  let served: Described;
  let resolved: Described;
  beforeAll(async () => {
    service = await startService(sqlite);
    served = (await service.stranger.get('/openapi.json')).json as unknown as Described;
    resolved = resolvedDocument(served);
  });
  afterAll(() => service.stop());

  it('is served as it is in the repository, with the URLs of the service', async () => {
    const { text } = await service.stranger.get('/openapi.json');
    const url = 'http://127.0.0.1:3000/docs';
    const local = {
      url: 'http://127.0.0.1:3000/v1',
      description: 'The local service, at the host and port where it listens',
    };
    const { servers, ...document } = JSON.parse(presentText('docs/openapi.json')) as { servers: object[] };
    const externalDocs = { description: 'The guide and the error codes', url };
    expect(JSON.parse(text)).toEqual({ ...document, servers: [local, ...servers], externalDocs });
  });

  it('names the operations and shapes of the specification', () => {
    const operations = Object.values(served.paths).flatMap((path) => Object.values(path));
    const names = operations.map(({ operationId }) => operationId);
    const repeated = names.filter((name, i) => names.indexOf(name) !== i);
    expect(repeated, `Give each operation a \`name\` of its own. ${DOCUMENTED}`).toEqual([]);
    // Modules add further operations and schemas; docs/openapi.json has all of them.
    const ends = operations.map(({ operationId, deprecated = false }) => [operationId, deprecated]);
    expect(Object.fromEntries(ends)).toMatchObject({ listPets: false, createPet: false, getPet: true });
    for (const name of ['PetStatus', 'NewPet', 'Pet', 'Pets', 'Error'])
      expect(served.components.schemas).toHaveProperty(name);
  });

  it('names the servers that the operator has configured', () => {
    const [BASE_URL, STAGING_URL] = ['https://pets.example/v1', 'https://staging.pets.example/v1'];
    const production = { url: BASE_URL, description: 'Production' };
    const staging = { url: STAGING_URL, description: 'Staging' };
    const here = { url: '/v1', description: 'The local service, which sent this document' };
    const listening = {
      url: 'http://127.0.0.1:3000/v1',
      description: 'The local service, at the host and port where it listens',
    };
    const under = (environment: Record<string, string>) => documentUrls(readSettings(environment)).servers;
    expect(under({})).toEqual([listening, here]);
    expect(under({ HOST: '0.0.0.0' })).toEqual([here]);
    expect(under({ BASE_URL, STAGING_URL })).toEqual([production, staging]);
    expect(under({ STAGING_URL })).toEqual([listening, here, staging]);
    expect(under({ BASE_URL: STAGING_URL, STAGING_URL })).toEqual([staging]);
    expect(JSON.parse(presentText('docs/openapi.json'))).toMatchObject({ servers: [here] });
  });

  it.each([
    [{}, 'http://127.0.0.1:3000/v1'],
    [{ PORT: '8080' }, 'http://127.0.0.1:8080/v1'],
    [{ HOST: 'shop.local', PORT: '80' }, 'http://shop.local/v1'],
    [{ HOST: '::1' }, 'http://[::1]:3000/v1'],
    [{ BASE_URL: 'https://shop.example/animals/v1', HOST: '::' }, 'https://shop.example/animals/v1'],
  ])('has the base URL and the guide beside it under the settings %j: %s', (environment, url) => {
    const { servers, externalDocs } = documentUrls(readSettings(environment));
    expect([servers[0]!.url, externalDocs?.url]).toEqual([url, url.replace(/v1$/, 'docs')]);
  });

  it.each(['0.0.0.0', '::', '0', '::0', '0:0:0:0:0:0:0:0', 'fe80::1%eth0'])(
    'has a path as the base URL if HOST is %s, which is not an address that clients can use',
    (HOST) => {
      const { servers, externalDocs } = documentUrls(readSettings({ HOST }));
      expect([servers.map(({ url }) => url), externalDocs]).toEqual([['/v1'], undefined]);
    },
  );

  it('describes the removal of an operation in words, and with each of its responses', () => {
    const { description, responses } = resolved.paths['/pets/{petId}']!['get']!;
    expect(description).toContain('From 5 December 2030, 00:00 UTC, the response is 410');
    expect(description).toContain('`GET /pets`');
    for (const [status, { headers }] of Object.entries(responses)) {
      // These are sent before the operation is known.
      if (['408', '414', '431'].includes(status)) continue;
      expect(Object.keys(headers), status).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']));
    }
  });

  it('declares the headers of rates on all responses, except where requests are not counted', () => {
    const answers = Object.values(resolved.paths).flatMap((path) =>
      Object.values(path).flatMap(({ responses }) => Object.entries(responses)),
    );
    const without = answers.filter(
      ([, { headers }]) => !('RateLimit' in headers && 'RateLimit-Policy' in headers),
    );
    const statuses = new Set(without.map(([status]) => status));
    expect([...statuses].toSorted()).toEqual(['401', '403', '408', '414', '431']);
  });

  it('contains every route of the modules, except those that are left out', () => {
    const addresses = [...addressesIn(served.paths, service.app.get(Routes).all())];
    const missing = addresses.filter(([, found]) => found.length === 0);
    const names = missing.map(([{ operation }]) => operation).toSorted();
    expect(
      names,
      `The document lacks these routes. After a new route, run npm run document. ${DOCUMENTED}`,
    ).toEqual(['index', 'livez', 'openapi', 'readyz']);
    const operations = Object.values(served.paths).flatMap((path) => Object.keys(path));
    expect(addresses.flatMap(([, found]) => found)).toHaveLength(operations.length);
  });

  it('keeps an operation after its removal, and so does the index, because both describe this version', async () => {
    service.clock.set('2030-12-05T00:00:00.000Z');
    expect((await service.client.get('/v1/pets/1')).status).toBe(410);
    const { paths } = (await service.stranger.get('/openapi.json')).json as unknown as Described;
    const { operations } = (await service.stranger.get('/')).json as unknown as { operations: string[] };
    expect(Object.keys(paths)).toContain('/pets/{petId}');
    expect(operations.slice(0, 7)).toEqual([
      'GET /v1/pets',
      'POST /v1/pets',
      'GET /v1/pets/{petId}',
      'GET /v1/store/orders',
      'POST /v1/store/orders',
      'GET /v1/store/orders/{orderId}',
      'PATCH /v1/store/orders/{orderId}',
    ]);
  });
});
