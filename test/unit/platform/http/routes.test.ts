import {
  All,
  Body,
  Controller,
  createParamDecorator,
  Get,
  Param,
  Post,
  Query,
  RawBody,
  Req,
  UploadedFile,
  Version,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DiscoveryModule } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  ApiConsumes,
  ApiExcludeController,
  ApiExcludeEndpoint,
  ApiOperation,
  ApiQuery,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ApiErrors,
  Caller,
  Id,
  Idempotent,
  IfMatch,
  Location,
  Paged,
  Public,
  readsOnlyDeclared,
  RequireScope,
  Stability,
} from '../../../../src/platform/http/index.js';
import { type Route, Routes } from '../../../support/rooms/http.js';
import { declaredParametersOf } from '../../../../tools/openapi/handlers.js';

@Controller(['dogs', 'hounds/'])
@ApiConsumes('text/csv')
class Dogs {
  @Post([':id', 'of/:owner/:id'])
  @ApiOperation({ operationId: 'walkDog' })
  @RequireScope('dogs:walk')
  @Stability('beta')
  @ApiErrors('conflict')
  walk(@Param('id') _id: string, @Query('far') _far: number, @Body() _dog: object) {}

  @Get()
  @Public()
  @ApiConsumes('text/plain')
  list(@Query() _all: object, @RawBody() _bytes: Buffer) {}

  @All('any')
  any() {}

  @Get('next')
  @Version(['2', '1'])
  @ApiOperation({ operationId: 'nextDog' })
  next() {}

  @Get('secret')
  @ApiExcludeEndpoint()
  secret() {}

  help() {}
}

@Public()
@Controller({ path: 'doors.html', version: '2' })
class Doors {
  @Get()
  open() {}

  @Get('old')
  @Version('1')
  old() {}
}

@Controller({ version: VERSION_NEUTRAL })
@ApiExcludeController()
class Index {
  @Get()
  index() {}

  @Get('help.html')
  page() {}
}

let app: TestingModule;
let routes: Routes;
let named: Record<string, Route>;
beforeEach(async () => {
  app = await Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers: [Dogs, Doors, Index],
    providers: [Routes],
  }).compile();
  routes = app.get(Routes);
  named = Object.fromEntries(routes.all().map((route) => [route.property, route]));
});

const contextOf = (controller: Function, handler: Function, ...parts: unknown[]) =>
  new ExecutionContextHost(parts, controller as typeof Dogs, handler);

describe('a route', () => {
  it('has the properties of its decorators', () => {
    expect(named['walk']).toMatchObject({
      controller: Dogs,
      operation: 'walkDog',
      isPublic: false,
      scope: 'dogs:walk',
      stability: 'beta',
      errors: expect.arrayContaining(['insufficient_scope', 'conflict']) as string[],
      takesBody: true,
      consumes: ['text/csv'],
      queryNames: ['far'],
    });
    const parameters = declaredParametersOf(named['walk']!).map(({ name, declaredType }) => [
      name,
      declaredType,
    ]);
    expect(parameters).toHaveLength(3);
    const declared = [
      ['id', String],
      ['far', Number],
      [undefined, Object],
    ];
    expect(parameters).toEqual(expect.arrayContaining(declared));
  });

  it('has defaults from its method and its class without decorators', () => {
    const plain = { scope: undefined, stability: undefined, deprecation: undefined, errors: [] };
    const lists = { operation: 'Dogs_list', isPublic: true, consumes: ['text/plain'] };
    expect(named['list']).toMatchObject({ ...plain, ...lists, takesBody: true, queryNames: undefined });
    expect(named['next']).toMatchObject({ takesBody: false, queryNames: [] });
    expect(named['old']).toMatchObject({ operation: 'Doors_old', isPublic: true, consumes: [] });
  });

  it('has one name in every version, and the name of its path if it is not in the OpenAPI document', () => {
    const names = ['next', 'open', 'secret', 'page', 'index'].map((name) => named[name]!.operation);
    expect(names).toEqual(['nextDog', 'Doors_open', 'dogs', 'help', 'index']);
  });

  it('that is not in the OpenAPI document and has no version ignores its query', () => {
    expect(['next', 'open', 'secret', 'page'].map((name) => named[name]!.queryNames)).toEqual([
      [],
      [],
      [],
      undefined,
    ]);
  });
});

describe('a parameter decorator of a module', () => {
  const Any = createParamDecorator(() => undefined);
  const Said = createParamDecorator(readsOnlyDeclared(() => undefined));

  class Cats {
    any(@Any() _any: unknown, @Query('far') _far: string) {}
    request(@Req() _request: Request) {}
    @ApiQuery({ name: 'near' })
    said(@Said() _said: unknown, @Query('far') _far: string) {}
    file(@Said() _said: unknown, @UploadedFile() _file: unknown) {}
    own(@Caller() _caller: Caller, @Id('id', Error) _id: unknown, @IfMatch() _check: unknown) {}
    answers(@Paged() _page: unknown, @Location() _location: unknown, @Idempotent() _once: unknown) {}
  }
  const read = (handler: Function) => routes.of(contextOf(Cats, handler));

  it('may read everything of the request, unless it declares what it reads', () => {
    const { any, request, said, file, own, answers } = Cats.prototype;
    const open = { mayReadAll: true, takesBody: false, queryNames: undefined };
    expect(read(any)).toMatchObject({ ...open, takesStream: false });
    expect(read(request)).toMatchObject({ ...open, takesStream: true });
    expect(read(said)).toMatchObject({ mayReadAll: false, queryNames: ['far', 'near'] });
    expect(read(file)).toMatchObject({ mayReadAll: false, takesStream: true });
    for (const handler of [own, answers])
      expect(read(handler)).toMatchObject({ mayReadAll: false, takesBody: false, queryNames: [] });
  });

  it('has no kind of parameter that Nest knows', () => {
    const kinds = declaredParametersOf(read(Cats.prototype.any)).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining([undefined, RouteParamtypes.QUERY]));
  });
});
