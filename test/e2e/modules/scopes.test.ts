import { Controller, Get, Module, Req } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { Request } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerMay, requireScope } from '../../../src/platform/http/caller.js';
import { Public, RequireScope } from '../../../src/platform/http/route.decorators.js';
import { Routes } from '../../../src/platform/http/routes.js';
import { DeclaredScopes, Scopes } from '../../../src/platform/http/scopes.js';
import { onOneEngine, sqlite } from '../../support/engines.js';
import { petstore } from '../../support/petstore.js';
import { type Service, startService, withSamples } from '../../support/service.js';

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

describe('scopes of a module', () =>
  onOneEngine((engine) => {
    let service: Service;
    beforeAll(async () => void (service = await startService(engine, { samples: [SalonsModule] })));
    afterAll(() => service.stop());

    const issue = (...scopes: string[]) => {
      const args = ['keys', 'issue', '--name', 'salon', '--json'];
      const restricted = scopes.length > 0 ? ['--scopes', scopes.join()] : [];
      return petstore(
        [...args, ...restricted],
        { DATABASE_URL: service.database.url },
        '',
        withSamples(SalonsModule),
      );
    };
    const callAs = async (scopes: string[], path = '/v1/salons') => {
      const { secret } = JSON.parse((await issue(...scopes)).stdout) as { secret: string };
      const headers = { Authorization: `Bearer ${secret}` };
      const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
      return [answer.status, ((await answer.json()) as { all?: boolean }).all];
    };

    it('have the verbs of the module: a route requires one, a handler asks for another', async () => {
      expect(await callAs(['salons:see'])).toEqual([200, false]);
      expect(await callAs(['salons:see', 'salons:admin'])).toEqual([200, true]);
      expect(await callAs([])).toEqual([200, true]);
      expect(await callAs(['salons:admin'])).toEqual([403, undefined]);
    });

    it('are required by a handler as by a route', async () => {
      expect(await callAs(['salons:see', 'salons:admin'], '/v1/salons/takings')).toEqual([200, true]);
      const { secret } = JSON.parse((await issue('salons:see')).stdout) as { secret: string };
      const { status, headers, json } = await service.stranger
        .with({ Authorization: `Bearer ${secret}` })
        .get('/v1/salons/takings');
      expect([status, json]).toMatchObject([403, { code: 'insufficient_scope' }]);
      expect(headers.get('www-authenticate')).toContain('scope="salons:admin"');
    });

    it('are nobody’s on a public route', async () => {
      expect(await callAs([], '/v1/salons/prices')).toEqual([200, false]);
    });

    it('are named to whoever issues a key with another', async () => {
      expect(await issue('salons:cut')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /No operation asks for salons:cut\. There are .*pets:read.*salons:admin, salons:see/,
        ) as string,
      });
    });
  }));

describe('a scope that no key can have', () => {
  @Controller('odd')
  class OddController {
    @Get()
    @RequireScope('Any Old:Thing')
    list() {
      return [];
    }
  }

  it('ends the start if a handler requires it', async () => {
    const odd = { module: class Odd {}, controllers: [OddController] };
    await expect(startService(sqlite, { samples: [odd] })).rejects.toThrow(
      'OddController.list requires the scope "Any Old:Thing", which no key can have. A scope is an area and a verb, such as pets:read',
    );
  });

  it('ends the start if a module declares it', async () => {
    @Scopes('pets:feed', 'pets')
    class Odd {}
    await expect(startService(sqlite, { samples: [Odd] })).rejects.toThrow(
      'Odd declares the scope "pets", which no key can have',
    );
  });

  it.each([
    ...[
      '',
      'pets',
      'pets:',
      ':read',
      'Pets:read',
      'pets:Read',
      'pets:read all',
      'pets:read:all',
      '2pets:read',
    ],
    ...[`${'p'.repeat(32)}:read`, `pets:${'r'.repeat(18)}`, 'pets:read\n'],
  ])('is %j', async (scope) => {
    @Scopes('pets:feed', scope)
    @Module({ imports: [DiscoveryModule], providers: [Routes, DeclaredScopes] })
    class Odd {}
    const app = await Test.createTestingModule({ imports: [Odd] }).compile();
    const declared = app.get(DeclaredScopes);
    expect(() => declared.all()).toThrow(`Odd declares the scope "${scope}", which`);
  });
});
