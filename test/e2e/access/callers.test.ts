import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  type PipeTransform,
  Post,
  Req,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../../src/access/index.js';
import { Caller, callerMay, Public, RequireScope, setCaller } from '../../../src/platform/http/index.js';
import { sqlite } from '../../support/engines.js';
import { resolvedDocument } from '../../support/http/resolved-document.js';
import { type Service, startService } from '../../support/service.js';

interface Document {
  readonly paths: Record<string, Record<string, { parameters: { name: string }[] }>>;
}

/** A guard that sets the caller itself, by its id alone and with its own check of scopes. */
class GuestGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<Request>();
    setCaller(request, 'guest-7', { mayDo: (scope) => scope === 'badges:see' });
    return true;
  }
}

class NamesPipe implements PipeTransform<Caller, string> {
  transform({ name }: Caller): string {
    return name;
  }
}

describe('@Caller()', () => {
  @Controller('badges')
  class BadgesController {
    @Get()
    @RequireScope('badges:see')
    show(@Caller() caller: Caller | undefined) {
      return { caller, isRestricted: caller?.scopes !== undefined };
    }

    @Get('public')
    @Public()
    showAnyone(@Caller() caller: Caller | undefined) {
      return { isKnown: caller !== undefined };
    }

    @Get('guest')
    @Public()
    @UseGuards(GuestGuard)
    showGuest(@Caller() caller: Caller | undefined, @Req() request: Request) {
      return { caller, may: callerMay(request, 'badges:see') };
    }

    @Post()
    @RequireScope('badges:see')
    add(@Caller(NamesPipe) name: string) {
      return { name };
    }
  }

  let service: Service;
  beforeAll(async () => {
    const badges = { module: class Badges {}, controllers: [BadgesController] };
    service = await startService(sqlite, { samples: [badges] });
  });
  afterAll(() => service.stop());

  const ask = async (path: string, terms: { name: string; scopes?: string[] }, method = 'GET') => {
    const { key, secret } = await service.app.get(ApiKeyService).issue(terms, 'test', 'tester');
    const headers = { Authorization: `Bearer ${secret}` };
    const answer = await fetch(`http://127.0.0.1:${service.port}/v1/badges${path}`, { method, headers });
    const { id, secretHash } = key;
    const text = await answer.text();
    for (const hidden of [secret, secretHash]) expect(text).not.toContain(hidden);
    return { id: String(id), status: answer.status, json: JSON.parse(text) as unknown };
  };

  it('gives a handler the caller, and whether the caller is restricted', async () => {
    const scopes = ['badges:see', 'pets:read'];
    const till = await ask('', { name: 'till', scopes });
    expect(till.json).toEqual({ caller: { id: till.id, name: 'till', scopes }, isRestricted: true });
    const office = await ask('', { name: 'office' });
    expect(office.json).toEqual({ caller: { id: office.id, name: 'office' }, isRestricted: false });
  });

  it('gives no caller on a public route, whatever key the request has', async () => {
    expect((await ask('/public', { name: 'till' })).json).toEqual({ isKnown: false });
  });

  it('gives the caller that a guard of the module sets, which does not count as unrestricted', async () => {
    const { json } = await ask('/guest', { name: 'till' });
    expect(json).toEqual({ caller: { id: 'guest-7', name: 'guest-7', scopes: [] }, may: true });
  });

  it('passes the caller through a pipe', async () => {
    expect((await ask('', { name: 'till' }, 'POST')).json).toEqual({ name: 'till' });
  });

  it('reads neither query nor body, so an unknown parameter is rejected', async () => {
    expect(await ask('?nmae=till', { name: 'till' })).toMatchObject({
      status: 400,
      json: { code: 'unknown_parameter' },
    });
  });

  it('does not appear in the OpenAPI document', async () => {
    const { json } = await service.stranger.get('/openapi.json');
    const { paths } = resolvedDocument(json as unknown as Document);
    const { get, post } = paths['/badges']!;
    expect(get!.parameters.map(({ name }) => name)).toEqual(['X-Request-Id', 'If-None-Match']);
    expect([get, post].some((operation) => 'requestBody' in operation!)).toBe(false);
  });
});
