import {
  All,
  Controller,
  Get,
  Head,
  type INestApplication,
  Module,
  Next,
  Post,
  type Type,
  Version,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { DiscoveryModule, RouterModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { NextFunction } from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { VERSIONING } from '../../../../src/configure-app.js';
import { UnreachableRoutes } from '../../../support/rooms/http.js';

/** A controller with two routes, which respond with their names. The paths are the arguments of `@Get`. */
function routesOf(first: string, second: string, path: string | string[] = '') {
  @Controller(path)
  class Dogs {
    @Get(first)
    first() {
      return 'first';
    }

    @Get(second)
    second() {
      return 'second';
    }
  }
  return [Dogs];
}

@Controller('dogs')
class Dogs {
  @Get(':id')
  get() {
    return 'get';
  }

  @Post('all')
  add() {
    return 'add';
  }

  @Get('all')
  @Version('2')
  list() {
    return 'list';
  }

  @Get('all')
  @Version(VERSION_NEUTRAL)
  listOfNone() {
    return 'listOfNone';
  }
}

@Controller('dogs/kennels')
class Kennels {
  @Get()
  kennels() {
    return 'kennels';
  }
}

@Controller({ path: 'dogs', host: 'shop.example' })
class OfOtherHost {
  @Get(':id')
  other() {
    return 'other';
  }
}

@Controller('dogs')
class PassingOn {
  @Get(':id')
  pass(@Next() next: NextFunction) {
    next();
  }
}

@Controller('dogs')
class AllMethods {
  @All('{*path}')
  all() {
    return 'all';
  }
}

@Controller('dogs')
class Heads {
  @Head(':name')
  head() {}
}

@Module({ controllers: [Dogs] })
class DogsModule {}

@Module({ controllers: [Heads] })
class HeadsModule {}

let app: INestApplication;
afterEach(() => app.close());

async function start(
  controllers: Type[],
  imports: NonNullable<Parameters<typeof Module>[0]['imports']> = [],
) {
  const parts = { imports: [DiscoveryModule, ...imports], controllers, providers: [UnreachableRoutes] };
  const assembled = await Test.createTestingModule(parts).compile();
  app = assembled.createNestApplication({ logger: false }).enableVersioning(VERSIONING);
  await app.listen(0, '127.0.0.1');
  return app.get(UnreachableRoutes);
}

/** The name of the route that responds to a request. */
async function responder(path: string, method = 'GET') {
  const response = await fetch((await app.getUrl()) + path, { method });
  return response.ok ? response.text() : response.status;
}

describe('a route that another one before it hides', () => {
  it.each<[string, Type[], path: string, by: string, message: RegExp]>([
    [
      'a word behind a parameter',
      routesOf(':id', 'all'),
      '/v1/all',
      'first',
      /^GET \/v1\/all of Dogs\.second can never be reached, because GET \/v1\/:id of Dogs\.first is before it and matches its path\. Write second above first in Dogs\.$/,
    ],
    [
      'in another controller',
      [Dogs, Kennels],
      '/v1/dogs/kennels',
      'get',
      /^GET \/v1\/dogs\/kennels of Kennels\.kennels .* GET \/v1\/dogs\/:id of Dogs\.get .* List Kennels before Dogs in `controllers` of the module, or the module of Kennels before the module of Dogs\.$/,
    ],
    [
      'with the same path',
      routesOf('a/:id', 'a/:name'),
      '/v1/a/1',
      'first',
      /GET \/v1\/a\/:name of Dogs\.second .* Give one of them another path\.$/,
    ],
    ['behind a wildcard', routesOf('*path', 'a/:id'), '/v1/a/1', 'first', /\/v1\/a\/:id of Dogs\.second/],
    [
      'at the second of its paths',
      routesOf(':id', 'all', ['cats', 'dogs']),
      '/v1/dogs/all',
      'first',
      /\nGET \/v1\/dogs\/all of Dogs\.second/,
    ],
    [
      'behind a route of all methods',
      [AllMethods, Kennels],
      '/v1/dogs/kennels',
      'all',
      /because all methods of \/v1\/dogs\/\{\*path\} of AllMethods\.all is before it/,
    ],
  ])('%s stops the start with an error that names both', async (_, controllers, path, by, message) => {
    const routes = await start(controllers);
    expect(await responder(path)).toBe(by);
    expect(() => routes.check()).toThrow(message);
  });

  it('is found for HEAD behind GET, and below a prefix of RouterModule', async () => {
    const prefixes = RouterModule.register(
      [DogsModule, HeadsModule].map((module) => ({ path: 'shop', module })),
    );
    const routes = await start([], [DogsModule, HeadsModule, prefixes]);
    expect(() => routes.check()).toThrow(
      /^HEAD \/v1\/shop\/dogs\/:name of Heads\.head .* GET \/v1\/shop\/dogs\/:id of Dogs\.get .* or the module of Heads before the module of Dogs\.$/,
    );
  });
});

describe('a route that is reached', () => {
  it.each<[string, Type[], path: string, by: string]>([
    ['before a parameter', routesOf('all', ':id'), '/v1/all', 'first'],
    ['behind a path of another length', routesOf(':id', ':id/all'), '/v1/1/all', 'second'],
    ['behind another word', routesOf('a/:id', ':kind/:id'), '/v1/b/1', 'second'],
    ['behind a part of a segment', routesOf('a-:id', ':id'), '/v1/b', 'second'],
    ['as a wildcard behind a parameter', routesOf(':id', '*path'), '/v1/a/b', 'second'],
    ['with an optional end behind a parameter', routesOf(':id', ':id{/:part}'), '/v1/a/b', 'second'],
    ['in a version of its own', [Dogs], '/v2/dogs/all', 'list'],
    ['without a version', [Dogs], '/dogs/all', 'listOfNone'],
    ['behind a route for another host', [OfOtherHost, Kennels], '/v1/dogs/kennels', 'kennels'],
    ['behind a route that may pass requests on', [PassingOn, Kennels], '/v1/dogs/kennels', 'kennels'],
  ])('%s does not stop the start', async (_, controllers, path, by) => {
    const routes = await start(controllers);
    expect(await responder(path)).toBe(by);
    expect(() => routes.check()).not.toThrow();
  });

  it('by another method, or below a prefix of RouterModule, does not stop the start', async () => {
    const routes = await start(
      [Kennels],
      [DogsModule, RouterModule.register([{ path: 'shop', module: DogsModule }])],
    );
    expect(await responder('/v1/shop/dogs/all', 'POST')).toBe('add');
    expect(await responder('/v1/dogs/kennels')).toBe('kennels');
    expect(() => routes.check()).not.toThrow();
  });
});
