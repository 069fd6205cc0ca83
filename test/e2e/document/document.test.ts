import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presentText } from '../../../tools/openapi/written-documents.js';
import { onOneEngine } from '../../support/engines.js';
import { resolvedDocument } from '../../support/http/resolved-document.js';
import { BellsModule } from '../../support/modules/bells-module.js';
import { type Service, startService } from '../../support/service.js';
import { Recorder } from '../../support/site/recorder.js';

interface Described {
  readonly servers: unknown;
  readonly paths: Record<
    string,
    Record<
      string,
      {
        readonly description: string;
        readonly responses: Record<string, { readonly headers: Record<string, object> }>;
      }
    >
  >;
}

describe('the document', () =>
  onOneEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine)));
    afterAll(() => service.stop());

    it('that is served is the one in the repository, with the addresses of the service', async () => {
      const { text } = await service.stranger.get('/openapi.json');
      const url = 'http://127.0.0.1:3000/docs';
      const local = { url: 'http://127.0.0.1:3000/v1', description: 'Local: where the service listens' };
      const { servers, ...document } = JSON.parse(presentText('docs/openapi.json')) as { servers: object[] };
      const externalDocs = { description: 'The guide and the error codes', url };
      expect(JSON.parse(text)).toEqual({ ...document, servers: [local, ...servers], externalDocs });
    });

    it('is the one in the repository to the byte where the service does not know its address', async () => {
      const other = await startService(engine, { environment: { HOST: '0.0.0.0' }, beside: service });
      const { text } = await other.stranger.get('/openapi.json');
      await other.stop();
      expect(`${JSON.stringify(JSON.parse(text), null, 2)}\n`).toBe(presentText('docs/openapi.json'));
    });

    it('names the operations and shapes of the specification', async () => {
      const document = (await service.stranger.get('/openapi.json')).json as unknown as {
        paths: Record<string, Record<string, { operationId: string; deprecated?: boolean }>>;
        components: { schemas: object };
      };
      const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
      const names = operations.map(({ operationId }) => operationId);
      expect(new Set(names).size).toBe(names.length);
      // Modules add further operations and schemas; docs/openapi.json has all of them.
      const ends = operations.map(({ operationId, deprecated = false }) => [operationId, deprecated]);
      expect(Object.fromEntries(ends)).toMatchObject({ listPets: false, createPet: false, getPet: true });
      for (const name of ['PetStatus', 'NewPet', 'Pet', 'Pets', 'Error']) {
        expect(document.components.schemas).toHaveProperty(name);
      }
    });

    const started = async (environment: Record<string, string>) => {
      const other = await startService(engine, { environment, beside: service });
      const { json } = await other.stranger.get('/openapi.json');
      await other.stop();
      return json as unknown as Described;
    };

    it('names the servers that the operator has configured', async () => {
      const [BASE_URL, STAGING_URL] = ['https://pets.example/v1', 'https://staging.pets.example/v1'];
      const [production, staging] = [
        { url: BASE_URL, description: 'Production' },
        { url: STAGING_URL, description: 'Staging' },
      ];
      const here = { url: '/v1', description: 'Local: where this document came from' };
      const listening = { url: 'http://127.0.0.1:3000/v1', description: 'Local: where the service listens' };
      expect((await started({})).servers).toEqual([listening, here]);
      expect((await started({ HOST: '0.0.0.0' })).servers).toEqual([here]);
      expect((await started({ BASE_URL, STAGING_URL })).servers).toEqual([production, staging]);
      expect((await started({ STAGING_URL })).servers).toEqual([listening, here, staging]);
      expect((await started({ BASE_URL: STAGING_URL, STAGING_URL })).servers).toEqual([staging]);
    });

    it('tells of the end of an operation in words, and with each of its answers', async () => {
      const { json } = await service.stranger.get('/openapi.json');
      const { description, responses } = resolvedDocument(json as unknown as Described).paths[
        '/pets/{petId}'
      ]!['get']!;
      expect(description).toContain('From 5 December 2030, 00:00 UTC, on it answers 410');
      expect(description).toContain('`GET /pets`');
      for (const [status, { headers }] of Object.entries(responses)) {
        // These are sent before the operation is known.
        if (['408', '414', '431'].includes(status)) continue;
        expect(Object.keys(headers), status).toEqual(
          expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
        );
      }
    });

    it('declares the headers of rates on all answers but those that are not counted', async () => {
      const { json } = await service.stranger.get('/openapi.json');
      const { paths } = resolvedDocument(json as unknown as Described);
      const answers = Object.values(paths).flatMap((path) =>
        Object.values(path).flatMap(({ responses }) => Object.entries(responses)),
      );
      const without = answers.filter(
        ([, { headers }]) => !('RateLimit' in headers && 'RateLimit-Policy' in headers),
      );
      const statuses = new Set(without.map(([status]) => status));
      expect([...statuses].toSorted()).toEqual(['401', '403', '408', '414', '431']);
    });

    it('says of orders that they are experimental, and has the header on their answers', async () => {
      const { json } = await service.stranger.get('/openapi.json');
      const { paths } = resolvedDocument(json as unknown as Described);
      const { description, responses } = paths['/store/orders']!['post']!;
      expect(description).toMatch(/^\*\*Experimental:\*\*/);
      expect(responses['201']!.headers).toHaveProperty('Stability');
      expect(responses['409']!.headers).toHaveProperty('Stability');
    });

    it('that lacks a route is named at the start, with the command that brings it up to date', async () => {
      const log = new Recorder();
      const other = await startService(engine, {
        samples: [BellsModule],
        environment: { LOG_LEVEL: 'warn' },
        hasBuiltDocument: true,
        log,
      });
      await other.stop();
      expect(log.text).toMatch(/The OpenAPI document lacks GET \/bells\b.*npm run document/);
    });

    it('keeps an operation that has been removed, and so does the index: both say what this version is made of', async () => {
      const gone = await startService(engine);
      gone.clock.set('2030-12-05T00:00:00.000Z');
      expect((await gone.client.get('/v1/pets/1')).status).toBe(410);
      const { paths } = (await gone.stranger.get('/openapi.json')).json as unknown as Described;
      const { operations } = (await gone.stranger.get('/')).json as unknown as { operations: string[] };
      await gone.stop();
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
  }));
