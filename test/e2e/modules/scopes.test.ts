import { Controller, Get, Module, Req } from '@nestjs/common';
import type { Request } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../../src/access/index.js';
import {
  callerMay,
  IntegerField,
  Operation,
  Public,
  requireScope,
  RequireScope,
  Scopes,
} from '../../../src/platform/http/index.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

@Controller('salons')
class SalonsController {
  @Get()
  @RequireScope('salons:see')
  list(@Req() request: Request) {
    return { all: callerMay(request, 'salons:admin') };
  }

  @Get('takings')
  @RequireScope('salons:see')
  takings(@Req() request: Request) {
    requireScope(request, 'salons:admin');
    return { all: true };
  }

  @Get('prices')
  @Public()
  prices(@Req() request: Request) {
    return { all: callerMay(request, 'salons:admin') };
  }
}

/** A module with scopes whose verbs are its own, one of which no route requires. */
@Scopes('salons:admin')
@Module({ controllers: [SalonsController] })
class SalonsModule {}

describe('scopes of a module', () => {
  let service: Service;
  beforeAll(async () => void (service = await startService(sqlite, { samples: [SalonsModule] })));
  afterAll(() => service.stop());

  const issue = (scopes: string[] | undefined) =>
    service.app.get(ApiKeyService).issue({ name: 'salon', ...(scopes && { scopes }) }, 'test', 'tester');
  const ask = async (path: string, secret: string) => {
    const headers = { Authorization: `Bearer ${secret}` };
    const answer = await fetch(`http://127.0.0.1:${service.port}/v1/salons${path}`, { headers });
    const { status, headers: told } = answer;
    return { status, told, json: (await answer.json()) as { all?: boolean; code?: string } };
  };
  const callAs = async (scopes: string[] | undefined, path = '') => {
    const { status, json } = await ask(path, (await issue(scopes)).secret);
    return [status, json.all];
  };

  it('may have the verbs of the module: a route requires one, and a handler checks another', async () => {
    expect(await callAs(['salons:see'])).toEqual([200, false]);
    expect(await callAs(['salons:see', 'salons:admin'])).toEqual([200, true]);
    expect(await callAs(undefined)).toEqual([200, true]);
    expect(await callAs(['salons:admin'])).toEqual([403, undefined]);
  });

  it('can be required by a handler as by a route, and never apply on a public route', async () => {
    expect(await callAs(['salons:see', 'salons:admin'], '/takings')).toEqual([200, true]);
    const { status, told, json } = await ask('/takings', (await issue(['salons:see'])).secret);
    expect([status, json.code]).toEqual([403, 'insufficient_scope']);
    expect(told.get('www-authenticate')).toContain('scope="salons:admin"');
    expect(await callAs(undefined, '/prices')).toEqual([200, false]);
  });
});

class TillsBody {
  @IntegerField({ description: 'How many.', example: 2, min: 0, max: 9 })
  tills!: number;
}

const Counting = (name: string) =>
  Operation({
    name,
    summary: 'Counts the tills.',
    description: 'All of them.',
    success: { status: 200, description: 'The number.', body: TillsBody },
  });

@Controller('tills')
class TillsController {
  @Get()
  @Counting('countTills')
  count() {
    return { tills: 2 };
  }

  @Get('open')
  @Counting('countOpenTills')
  @Public()
  open() {
    return { tills: 1 };
  }
}

describe('an operation without a scope', () => {
  let service: Service;
  beforeAll(async () => {
    const tills = { module: class Tills {}, controllers: [TillsController] };
    service = await startService(sqlite, { samples: [tills] });
  });
  afterAll(() => service.stop());

  /** Each response is compared with the OpenAPI document. */
  const as = async (scopes?: string[]) => {
    const keys = service.app.get(ApiKeyService);
    const { secret } = await keys.issue({ name: 'till', ...(scopes && { scopes }) }, 'test', 'tester');
    return service.stranger.with({ Authorization: `Bearer ${secret}` });
  };

  it('requires a key without restriction', async () => {
    expect((await (await as()).get('/v1/tills')).json).toEqual({ tills: 2 });
    for (const scopes of [['pets:read'], []]) {
      const { status, headers, json } = await (await as(scopes)).get('/v1/tills');
      expect([status, json]).toEqual([
        403,
        {
          code: 'insufficient_scope',
          status: 403,
          message:
            'The API key is restricted to scopes, and none of them allows this operation. ' +
            'Ask the operator of this service for a key without restriction.',
        },
      ]);
      expect(headers.get('www-authenticate')).toBe('Bearer realm="petstore", error="insufficient_scope"');
    }
  });

  it('requires no key if it is public', async () => {
    for (const client of [service.stranger, await as(['pets:read'])])
      expect((await client.get('/v1/tills/open')).json).toEqual({ tills: 1 });
  });
});

describe('@Public()', () => {
  @Public()
  @Controller('lobby')
  class LobbyController {
    @Get('doors')
    doors() {
      return {};
    }
  }

  class DeskController {
    @Public()
    @Get('hours')
    hours() {
      return {};
    }
  }

  @Controller('vault')
  class VaultController extends LobbyController {}

  @Controller('office')
  class OfficeController extends DeskController {
    @Get('safe')
    safe() {
      return {};
    }
  }

  let service: Service;
  beforeAll(async () => {
    const rooms = {
      module: class Rooms {},
      controllers: [LobbyController, VaultController, OfficeController],
    };
    service = await startService(sqlite, { samples: [rooms] });
  });
  afterAll(() => service.stop());

  const statusOf = async (path: string, headers = {}) =>
    (await fetch(`http://127.0.0.1:${service.port}/v1${path}`, { headers })).status;

  it('on a class is not inherited, so a controller that extends a public one requires a key', async () => {
    expect([await statusOf('/lobby/doors'), await statusOf('/vault/doors')]).toEqual([200, 401]);
    expect(await statusOf('/vault/doors', { Authorization: `Bearer ${service.secret}` })).toBe(200);
  });

  it('on a handler applies wherever the handler is, and to no other handler', async () => {
    expect([await statusOf('/office/hours'), await statusOf('/office/safe')]).toEqual([200, 401]);
  });
});
