import { Controller, Get, Module, type Type as Class, ValidationPipe } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainError } from '../../../src/kernel/domain-error.js';
import { ApiErrors } from '../../../src/platform/http/route.decorators.js';
import { existing, onOneEngine, sqlite } from '../../support/engines.js';
import { openApiDocument } from '../../../tools/openapi/openapi-document.js';
import { GardensModule } from '../../support/modules/gardens-module.js';
import { type Service, startService } from '../../support/service.js';

interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

/** Does not check answers against the document, which has no schema for them. */
async function ask({ port, secret }: Service, path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${secret}`, ...init.headers },
  });
  return { status: answer.status, json: (await answer.json()) as Answer['json'] };
}

const send = (service: Service, path: string, body: object) =>
  ask(service, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** What a developer writes who knows class-validator and class-transformer: test/support/modules/gardens-module.ts. */
describe('the DTOs of a module', () => {
  let service: Service;
  beforeAll(async () => void (service = await startService(sqlite, { samples: [GardensModule] })));
  afterAll(() => service.stop());

  const get = (path: string) => ask(service, `/v1/gardens${path}`);
  const bed = {
    name: ' roses ',
    size: { width: 2 },
    rows: 1,
    owners: ['a@shop.example'],
    soil: 2,
    sownOn: '2026-11-25',
  };
  const plant = (more: object) => send(service, '/v1/gardens/beds', { ...bed, ...more });
  const fieldsOf = ({ json }: Answer) =>
    (json['details'] as { field: string; message: string }[]).map(({ field, message }) => [field, message]);

  it('have the types that @Type and @Transform make, in a query and in a form', async () => {
    expect((await get('?page=3&desc=true&ids=1,2')).json).toEqual({ page: 3, desc: true, ids: [1, 2] });
    expect((await get('?desc=false&ids=7')).json).toEqual({ page: 1, desc: false, ids: [7] });
    expect(fieldsOf(await get('?page=three'))).toEqual([['query.page', 'must be an integer number']]);
    const form = (rows: string) =>
      ask(service, '/v1/gardens/forms', {
        method: 'POST',
        body: new URLSearchParams({ title: 'plan', rows }),
      });
    expect(await form('5')).toEqual({ status: 201, json: { title: 'plan', rows: 5 } });
    expect(fieldsOf(await form('many'))).toEqual([['/rows', 'must be an integer number']]);
  });

  it('are transformed before they are validated', async () => {
    expect(await plant({})).toEqual({ status: 201, json: { ...bed, name: 'roses' } });
    expect((await plant({ name: `${' '.repeat(30)}roses` })).status).toBe(201);
    expect(fieldsOf(await plant({ name: 7 }))).toEqual([['/name', 'must be a string']]);
  });

  it.each([
    [{ size: undefined }, '/size', 'is required'],
    [{ size: null }, '/size', 'must be an object'],
    [{ size: [] }, '/size', 'must be an object'],
    [{ size: [{ width: 2 }] }, '/size', 'must be an object'],
    [{ size: {} }, '/size/width', 'is required'],
    [{ parts: { width: 2 } }, '/parts', 'must be an array'],
    [{ parts: [{ width: 2 }, {}] }, '/parts/1/width', 'is required'],
  ])('have nested objects, and nothing else in their place: %j', async (change, field, message) => {
    const refused = await plant(change);
    expect([refused.status, fieldsOf(refused)]).toEqual([400, [[field, message]]]);
  });

  it('are in the document with everything that their rules say', async () => {
    const { json } = await ask(service, '/openapi.json');
    const { schemas } = json['components'] as {
      schemas: Record<string, { properties: object; required: string[] }>;
    };
    expect(schemas['SizeBody']!.properties).toEqual({ width: { type: 'integer', minimum: 1 } });
    expect(schemas['BedBody']!.required.toSorted()).toEqual(
      ['name', 'size', 'rows', 'owners', 'soil', 'sownOn'].toSorted(),
    );
    const size = { $ref: '#/components/schemas/SizeBody' };
    expect(schemas['BedBody']!.properties).toEqual({
      name: { type: 'string', maxLength: 20 },
      size,
      parts: { type: ['array', 'null'], items: size },
      gaps: { type: ['array', 'null'], items: size, maxItems: 4 },
      rows: { type: 'integer', exclusiveMinimum: 0 },
      tags: { type: ['array', 'null'], items: { type: 'string', maxLength: 9 } },
      owners: { type: 'array', items: { type: 'string', format: 'email' } },
      soil: { type: 'number', enum: [1, 2] },
      sownOn: { type: 'string', pattern: expect.stringMatching(/^\^\\d/) },
      note: { type: ['string', 'null'] },
    });
    const old = openApiDocument(service.app, '3.0.3').components as { schemas: typeof schemas };
    expect(old.schemas['BedBody']!.properties).toMatchObject({
      rows: { minimum: 0, exclusiveMinimum: true },
    });
  });

  it('is a document of OpenAPI, whatever methods and schemes a controller names', async () => {
    const { json } = await ask(service, '/openapi.json');
    const paths = json['paths'] as Record<string, Record<string, { security?: object }>>;
    expect(Object.keys(paths['/gardens/any']!)).not.toContain('search');
    expect(paths['/gardens']!['get']).not.toHaveProperty('security');
  });

  it('are asked for parameters that they do not know in every version', async () => {
    const known = await ask(service, '/v2/gardens/newer?depth=1');
    expect(known).toEqual({ status: 200, json: { depth: '1' } });
    expect(await ask(service, '/v2/gardens/newer?dept=1')).toMatchObject({
      status: 400,
      json: { code: 'unknown_parameter' },
    });
    expect((await ask(service, '/livez?dept=1')).status).toBe(200);
  });
});

describe('a pipe of a module for all routes', () =>
  onOneEngine((engine) => {
    it.each([{ transform: true }, { whitelist: true }])('leaves a pet its status: %j', async (options) => {
      @Module({ providers: [{ provide: APP_PIPE, useValue: new ValidationPipe(options) }] })
      class PipeModule {}
      const service = await startService(engine, { samples: [PipeModule] });
      const added = await service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
      expect([added.status, added.json]).toEqual([201, expect.objectContaining({ status: 'available' })]);
      await service.stop();
    });
  }));

describe('the start is refused', () => {
  const start = async (module: Class) => {
    const database = await sqlite.create();
    await startService(existing(database), { samples: [module] }).finally(() => database.drop());
  };

  it('for an error code that another module has', async () => {
    class RoomTaken extends DomainError {
      static readonly kind = 'conflict';
      static readonly code = 'pet_not_found';
      static readonly meaning = 'The room is taken.';
      static readonly remedy = 'Choose another one.';
    }
    class RoomsController {
      @Get()
      @ApiErrors(RoomTaken)
      list() {}
    }
    Controller('rooms')(RoomsController);
    @Module({ controllers: [RoomsController] })
    class RoomsModule {}
    await expect(start(RoomsModule)).rejects.toThrow(
      'RoomTaken and PetNotFound both have the error code pet_not_found',
    );
  });
});
