import { Body, Controller, Post } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { BadConfiguration } from '../../../../../src/platform/config/settings.js';
import { checkBodyLimits, Routes } from '../../../../support/rooms/http.js';
import { BodyLimit } from '../../../../../src/platform/http/index.js';

const MB = 1024 * 1024;

/** The route of a handler with this decorator. */
async function routesWith(limit: MethodDecorator) {
  @Controller('films')
  class FilmsController {
    @Post()
    @limit
    add(@Body() _film: object) {}
  }
  const app = await Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers: [FilmsController],
    providers: [Routes],
  }).compile();
  return app.get(Routes).all();
}

describe('a limit of bodies', () => {
  it('may equal the limit of the process', async () => {
    const routes = await routesWith(BodyLimit('64mb', { values: 1 }));
    expect(routes[0]!.bodyLimit).toEqual({ size: '64mb', bytes: 64 * MB, values: 1 });
    checkBodyLimits(routes, 64 * MB, 64 * MB);
  });

  it.each<[string, MethodDecorator, number, string]>([
    [
      'beyond what the process may hold, of the service',
      BodyLimit('1mb'),
      8 * MB,
      'BODY_LIMIT is 8 MB, but all bodies together may hold 7.5 MB, a quarter of the heap. Lower the limit, or raise the heap with ' +
        'NODE_OPTIONS=--max-old-space-size=32.',
    ],
    [
      'beyond what the process may hold, of a route',
      BodyLimit('100mb'),
      MB,
      '@BodyLimit on FilmsController.add is 100mb, but all bodies together may hold 7.5 MB, a quarter of the heap. Lower the limit, or ' +
        'raise the heap with NODE_OPTIONS=--max-old-space-size=400.',
    ],
    ...['2 gb', 'much', '', '-1kb', '1.5mb', '0'].map((size): [string, MethodDecorator, number, string] => [
      `that is not a size, "${size}",`,
      BodyLimit(size),
      MB,
      `@BodyLimit on FilmsController.add has the size "${size}". Write a number of bytes, or a number with kb or mb, such as 100kb or 2mb.`,
    ]),
    ...[0, -1, 1.5, Number.NaN].map((values): [string, MethodDecorator, number, string] => [
      `with an invalid number of values, ${values},`,
      BodyLimit('1mb', { values }),
      MB,
      `@BodyLimit on FilmsController.add has ${values} values. Write a whole number above 0.`,
    ]),
  ])('%s is rejected', async (_, limit, ofService, message) => {
    const routes = await routesWith(limit);
    expect(() => checkBodyLimits(routes, ofService, 7.5 * MB)).toThrow(new BadConfiguration(message));
  });
});
