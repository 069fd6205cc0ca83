import {
  All,
  Controller,
  Delete,
  Get,
  Head,
  HttpCode,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Options,
  Param,
  Req,
  Search,
  Version,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Public } from '../../../src/platform/http/index.js';
import { sqlite } from '../../support/engines.js';
import { rawRequest } from '../../support/http/raw-request.js';
import { type Service, startService } from '../../support/service.js';

const mark =
  (name: string) =>
  (_request: Request, response: Response, next: NextFunction): void => {
    response.appendHeader('Passed', name);
    next();
  };

@Public()
@ApiExcludeController()
@Controller('rooms')
class RoomsController {
  @Get('shared')
  shared() {
    return 'rooms';
  }

  @Get('request/:id')
  request(@Req() { url, baseUrl, originalUrl, path, params, route }: Request) {
    return { url, baseUrl, originalUrl, path, params, route: (route as { path: string }).path };
  }

  @Get('floor')
  @Version(['2', '3'])
  floor() {
    return 'floor';
  }

  @Head('light')
  @HttpCode(204)
  light() {}

  @All('any')
  any(@Req() { method }: Request) {
    return method;
  }

  @Options('own')
  options() {
    return 'own options';
  }

  @Search('found')
  search() {
    return 'found';
  }

  @Get(':id')
  one() {
    return 'one room';
  }
}

@Public()
@ApiExcludeController()
@Controller({ path: 'rooms', host: 'hotel.example' })
class HotelController {
  @Get('bar/:id')
  bar() {
    return 'bar of the hotel';
  }
}

@Public()
@ApiExcludeController()
@Controller('rooms')
class BarController {
  @Get('bar/:id')
  bar() {
    return 'any bar';
  }
}

@Module({ controllers: [RoomsController, HotelController, BarController] })
class RoomsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(mark('controller')).forRoutes(RoomsController);
    consumer.apply(mark('path')).forRoutes('v1/rooms/request/*splat');
  }
}

/** Routes that match several first segments. */
@Public()
@ApiExcludeController()
@Controller({ path: '', version: ['1', VERSION_NEUTRAL] })
class EverywhereController {
  @Get(':place/shared')
  shared() {
    return 'everywhere';
  }

  @Delete(':place/:id')
  remove() {
    return 'removed everywhere';
  }

  @Get('{:language/}help')
  help(@Param('language') language = 'none') {
    return language;
  }

  @Get('tree/*')
  tree() {
    return 'old form of a wildcard';
  }

  @Get(':place/*rest/end')
  end(@Param('rest') rest: string[]) {
    return rest;
  }
}

@Module({ controllers: [EverywhereController] })
class EverywhereModule {}

/** More routes that match the same path than the router of Express tries at once. */
const MANY = Array.from({ length: 120 }, (_, i) => `many/:p${i}`);

@Public()
@ApiExcludeController()
@Controller({ path: 'halls', version: ['1', VERSION_NEUTRAL] })
class HallsController {
  @Get(':name')
  one() {
    return 'one hall';
  }

  @Get(MANY)
  many() {
    return 'many';
  }

  @Delete('many/:last')
  removeMany() {}

  @Get()
  all() {
    return 'all halls';
  }
}

@Module({ controllers: [HallsController] })
class HallsModule {}

describe('the routes of several modules', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(sqlite, { modules: [RoomsModule, EverywhereModule, HallsModule] });
  });
  afterAll(() => service.stop());
  const ask = (method: string, path: string) => fetch(service.stranger.origin + path, { method });
  const read = async (method: string, path: string) => {
    const answer = await ask(method, path);
    return [answer.status, await answer.text()];
  };

  it.each([
    ['/v1/rooms/shared', 'rooms'],
    ['/v1/halls/shared', 'everywhere'],
    ['/halls/shared', 'everywhere'],
    ['/v1/cellars/shared', 'everywhere'],
    ['/cellars/shared', 'everywhere'],
    ['/v1/halls/other', 'one hall'],
    ['/v1/rooms/7', 'one room'],
    ['/v1/halls', 'all halls'],
  ])('match in the order of registration, also if a path begins with a parameter: %s', async (path, text) => {
    expect(await read('GET', path)).toEqual([200, text]);
  });

  it.each([
    ['/halls', 'all halls'],
    ['/v2/rooms/floor', 'floor'],
    ['/v3/rooms/floor', 'floor'],
    ['/v1/help', 'none'],
    ['/v1/de/help', 'de'],
    ['/help', 'none'],
    ['/de/help', 'de'],
    ['/v1/tree/a/b', 'old form of a wildcard'],
    ['/v1/rooms/a/b/end', '["a","b"]'],
  ])('match with every form of a path and a version: %s', async (path, text) => {
    expect(await read('GET', path)).toEqual([200, text]);
  });

  it.each([
    ['/v4/rooms/floor', 404],
    ['/v1//rooms/7', 404],
    ['/v1/rooms/7/', 404],
    // DELETE matches any place.
    ['/rooms/7', 405],
    ['/v1/Rooms/7', 405],
    ['/v1/tree', 405],
  ])('do not match another path: %s', async (path, status) => {
    expect((await ask('GET', path)).status).toBe(status);
  });

  it('may be for all methods, for HEAD and for OPTIONS', async () => {
    for (const method of ['GET', 'DELETE', 'OPTIONS'])
      expect(await read(method, '/v1/rooms/any')).toEqual([200, method]);
    expect((await ask('HEAD', '/v1/rooms/light')).status).toBe(204);
    expect((await ask('HEAD', '/v1/rooms/7')).status).toBe(200);
    expect(await read('OPTIONS', '/v1/rooms/own')).toEqual([200, 'own options']);
    expect(await read('SEARCH', '/v1/rooms/found')).toEqual([200, 'found']);
  });

  it.each([
    ['PUT', '/v1/rooms/7', 'DELETE, GET, HEAD, OPTIONS'],
    ['PUT', '/v1/rooms/found', 'DELETE, GET, HEAD, OPTIONS'],
    ['POST', '/v2/rooms/floor', 'GET, HEAD, OPTIONS'],
    ['PUT', '/v1/halls/many/7', 'DELETE, GET, HEAD, OPTIONS'],
  ])('together determine the methods of a path: %s %s', async (method, path, allow) => {
    const rejected = await ask(method, path);
    expect([rejected.status, rejected.headers.get('Allow')]).toEqual([405, allow]);
    const options = await ask('OPTIONS', path);
    expect([options.status, options.headers.get('Allow')]).toEqual([204, allow]);
  });

  it('may be for one host', async () => {
    const get = (host: string) =>
      rawRequest(service.port, `GET /v1/rooms/bar/1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await get('hotel.example')).toMatch(/\r\n\r\nbar of the hotel$/);
    expect(await get('motel.example')).toMatch(/\r\n\r\nany bar$/);
  });

  it('pass on the URL as the client sent it, also behind middleware', async () => {
    const path = '/v1/rooms/request/a%20b';
    const answer = await ask('GET', `${path}?x=1`);
    expect(answer.headers.get('Passed')).toBe('controller, path');
    expect(await answer.json()).toEqual({
      url: `${path}?x=1`,
      baseUrl: '',
      originalUrl: `${path}?x=1`,
      path,
      params: { id: 'a b' },
      route: '/v1/rooms/request/:id',
    });
    expect((await ask('GET', '/v1/halls')).headers.has('Passed')).toBe(false);
    expect((await ask('GET', '/v1/rooms/7')).headers.get('Passed')).toBe('controller');
  });
});
