import { All, Body, Controller, Get, Module, Post, Query, ValidationPipe } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { IsString } from 'class-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../src/kernel/domain-error.js';
import { onOneEngine } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const backwards = () =>
  new InvalidInput([{ field: 'to', code: 'invalid_value', message: 'must come after from' }]);

class HoursBody {
  @IsString()
  to!: string;
}

@Controller('fountains')
class FountainsController {
  @All('water')
  water() {}

  @Get('hours')
  hours(@Query('to') _to: string) {
    throw backwards();
  }

  @Post('hours')
  setHours(@Body() _hours: HoursBody) {
    throw backwards();
  }
}

@Module({
  controllers: [FountainsController],
  providers: [{ provide: APP_PIPE, useValue: new ValidationPipe({ transform: true, whitelist: true }) }],
})
class FountainsModule {}

describe('a route of a module', () =>
  onOneEngine((engine) => {
    let service: Service;
    beforeAll(async () => {
      service = await startService(engine, { samples: [FountainsModule] });
    });
    afterAll(() => service.stop());

    it('gets an error that names the parameter of its query that the domain rejects', async () => {
      const { status, json } = await service.client.get('/v1/fountains/hours?to=now');
      expect([status, json]).toEqual([
        400,
        {
          code: 'invalid_parameter',
          message: 'query.to must come after from.',
          status: 400,
          details: [{ field: 'query.to', code: 'invalid_value', message: 'must come after from' }],
        },
      ]);
    });

    it('gets an error that names the field of its body that the domain rejects', async () => {
      const { status, json } = await service.client.post('/v1/fountains/hours', { to: 'now' });
      expect([status, json]).toMatchObject([400, { code: 'validation_failed', details: [{ field: '/to' }] }]);
    });

    it('is in the OpenAPI document with the methods that OpenAPI supports', async () => {
      const { paths } = (await service.stranger.get('/openapi.json')).json as {
        paths: Record<string, object>;
      };
      expect(Object.keys(paths['/fountains/water']!)).toEqual(expect.arrayContaining(['get', 'patch']));
      expect(paths['/fountains/water']).not.toHaveProperty('search');
    });

    it('may use a global pipe of its module, which does not change the status of pets', async () => {
      const { status, json } = await service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
      expect([status, json]).toMatchObject([201, { status: 'available' }]);
    });
  }));
