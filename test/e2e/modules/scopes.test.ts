import { Controller, Get, Module, Req } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { Request } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../../src/access/index.js';
import { callerMay, requireScope } from '../../../src/platform/http/caller.js';
import { Public, RequireScope } from '../../../src/platform/http/route.decorators.js';
import { Routes } from '../../../src/platform/http/routes.js';
import { DeclaredScopes, Scopes } from '../../../src/platform/http/scopes.js';
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

  it('have the verbs of the module: a route requires one, a handler asks for another', async () => {
    expect(await callAs(['salons:see'])).toEqual([200, false]);
    expect(await callAs(['salons:see', 'salons:admin'])).toEqual([200, true]);
    expect(await callAs(undefined)).toEqual([200, true]);
    expect(await callAs(['salons:admin'])).toEqual([403, undefined]);
  });

  it('are required by a handler as by a route, and nobody’s on a public route', async () => {
    expect(await callAs(['salons:see', 'salons:admin'], '/takings')).toEqual([200, true]);
    const { status, told, json } = await ask('/takings', (await issue(['salons:see'])).secret);
    expect([status, json.code]).toEqual([403, 'insufficient_scope']);
    expect(told.get('www-authenticate')).toContain('scope="salons:admin"');
    expect(await callAs(undefined, '/prices')).toEqual([200, false]);
  });
});

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

  it.each([
    ...'pets pets: :read Pets:read pets:Read pets:read:all 2pets:read'.split(' '),
    '',
    'pets:read all',
    'pets:read\n',
    `${'p'.repeat(32)}:read`,
    `pets:${'r'.repeat(18)}`,
  ])('is %j', async (scope) => {
    @Scopes('pets:feed', scope)
    @Module({ imports: [DiscoveryModule], providers: [Routes, DeclaredScopes] })
    class Odd {}
    const app = await Test.createTestingModule({ imports: [Odd] }).compile();
    const declared = app.get(DeclaredScopes);
    expect(() => declared.all()).toThrow(`Odd declares the scope "${scope}", which`);
  });
});
