import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { onEveryEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

describe('the document', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine)));
    afterAll(() => service.stop());

    it('in the repository is the one that is served; after a change: npx vitest run test/e2e/document -u', async () => {
      const { json } = await service.stranger.get('/openapi.json');
      await expect(`${JSON.stringify(json, null, 2)}\n`).toMatchFileSnapshot('../../docs/openapi.json');
    });

    it('is the same in YAML', async () => {
      const yaml = await fetch(`http://127.0.0.1:${service.port}/openapi.yaml`);
      expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
      expect(parse(await yaml.text())).toEqual((await service.stranger.get('/openapi.json')).json);
    });

    it('names the operations and shapes of the specification', async () => {
      const document = (await service.stranger.get('/openapi.json')).json as unknown as {
        paths: Record<string, Record<string, { operationId: string; deprecated?: boolean }>>;
        components: { schemas: object };
      };
      const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
      const names = operations.map(({ operationId }) => operationId);
      expect(new Set(names).size).toBe(names.length);
      // What else there is, modules decide; docs/openapi.json has all of it.
      const ends = operations.map(({ operationId, deprecated = false }) => [operationId, deprecated]);
      expect(Object.fromEntries(ends)).toMatchObject({ listPets: false, createPet: false, getPet: true });
      for (const name of ['PetStatus', 'NewPet', 'Pet', 'Pets', 'Error']) {
        expect(document.components.schemas).toHaveProperty(name);
      }
    });

    it('names both servers', async () => {
      const environment = {
        BASE_URL: 'https://pets.example/v1',
        STAGING_URL: 'https://staging.pets.example/v1',
      };
      const configured = await startService(engine, { environment });
      const { servers } = (await configured.stranger.get('/openapi.json')).json as { servers: unknown };
      expect(servers).toEqual([
        { url: environment.BASE_URL, description: 'Production' },
        { url: environment.STAGING_URL, description: 'Staging' },
      ]);
      await configured.stop();
    });
  }));
