import {
  Body,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  Param,
  Post,
  Res,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import type { Response } from 'express';
import { tap } from 'rxjs';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Idempotent, type Once, Public } from '../../../src/platform/http/index.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

type Headers = Readonly<Record<string, string | number | string[]>>;

class HeadersBody {
  @IsObject()
  before!: Headers;

  @IsObject()
  during!: Headers;
}

/** More values, and other names, than a body of a request may have. */
const MANY = Object.fromEntries(
  ['__proto__', 'constructor', ...Array.from({ length: 20_001 }, (_, i) => `f${i}`)].map((name) => [
    name,
    2n ** 53n + 1n,
  ]),
);
const BODIES: Readonly<Record<string, unknown>> = {
  integer: { id: 2n ** 63n - 1n },
  text: 'done',
  nothing: null,
  double: { grams: 1e21 },
  many: MANY,
};

@Injectable()
class Results implements NestInterceptor {
  readonly seen: unknown[] = [];

  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(tap((result) => void this.seen.push(result)));
  }
}

function set(response: Response, headers: Headers): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

@Public()
@ApiExcludeController()
@UseInterceptors(Results)
@Controller('storing')
class StoringController {
  @Post('headers')
  async headers(
    @Body() { before, during }: HeadersBody,
    @Res({ passthrough: true }) response: Response,
    @Idempotent() once: Once,
  ) {
    set(response, before);
    const result = await once(() => {
      set(response, during);
      return {};
    });
    // With these headers the response would not be HTTP.
    for (const name of ['Content-Length', 'Transfer-Encoding', 'Date']) response.removeHeader(name);
    return result;
  }

  @Post('bodies/:name')
  body(@Param('name') name: string, @Idempotent() once: Once) {
    return once(() => BODIES[name]);
  }
}

let service: Service;
let keys = 0;
beforeAll(async () => {
  const storing = { module: class Storing {}, controllers: [StoringController], providers: [Results] };
  service = await startService(sqlite, { samples: [storing] });
});
afterAll(() => service.stop());

/** Sends a request twice with the same key. */
async function twice(path: string, body: object = {}) {
  const key = `key-${keys++}`;
  const send = async () => {
    const { headers, ...response } = await fetch(`${service.stranger.origin}/v1/storing/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    }).then(async (answer) => ({ headers: answer.headers, text: await answer.text() }));
    return { headers, text: response.text, isReplayed: headers.get('Idempotency-Replayed') === 'true' };
  };
  const [first, again] = [await send(), await send()];
  expect([first.isReplayed, again.isReplayed]).toEqual([false, true]);
  const rows = await service.app
    .get(DataSource)
    .query<{ answer: string }[]>('SELECT answer FROM stored_answers WHERE idempotency_key = ?', [key]);
  return { first, again, stored: JSON.parse(rows[0]!.answer) as { headers: object } };
}

describe('the headers of a stored response', () => {
  it.each<[string, Headers, Headers, object]>([
    ['none', { Stability: 'experimental' }, {}, {}],
    ['a new header', {}, { ETag: '"1"' }, { Etag: '"1"' }],
    ['a header that is set to its old value', { 'X-Own': 'a' }, { 'x-own': 'a' }, {}],
    ['a changed header', { 'X-Own': 'a' }, { 'X-Own': 'b' }, { 'X-Own': 'b' }],
    ['a number', {}, { 'X-Count': 7 }, { 'X-Count': '7' }],
    ['several values', {}, { 'X-Own': ['a', 'b'] }, { 'X-Own': ['a', 'b'] }],
    ['links with some from before', { Link: 'a' }, { Link: ['a', 'b'] }, { Link: ['a', 'b'] }],
    ['a cookie', {}, { 'Set-Cookie': 'a=1' }, { 'Set-Cookie': ['a=1'] }],
    [
      'another cookie',
      { 'Set-Cookie': ['a=1'] },
      { 'Set-Cookie': ['a=1', 'b=2'] },
      { 'Set-Cookie': ['b=2'] },
    ],
    ['a cookie again', { 'Set-Cookie': 'a=1' }, { 'Set-Cookie': ['a=1', 'a=1'] }, {}],
    ['no other reason to vary', { Vary: 'Origin' }, { Vary: ['Origin'] }, {}],
    [
      'a reason to vary',
      { Vary: 'Origin' },
      { Vary: 'Origin, Accept-Language' },
      { Vary: 'Accept-Language' },
    ],
    [
      'what belongs to the exchange',
      { 'Access-Control-Allow-Origin': '*', RateLimit: '"key";r=2;t=1' },
      {
        'Access-Control-Allow-Origin': 'https://a.example',
        'access-control-expose-headers': 'X-Own',
        RateLimit: '"key";r=1;t=1',
        'RateLimit-Policy': '"key";q=2;w=1',
        'X-Request-Id': 'one',
        traceparent: '00-1-2-01',
        Date: 'now',
        Connection: 'close',
        'Keep-Alive': 'timeout=5',
        'Content-Length': 2,
        'Transfer-Encoding': 'chunked',
      },
      {},
    ],
  ])('are those that the work added or changed, and are sent again: %s', async (_, before, during, added) => {
    const { first, again, stored } = await twice('headers', { before, during });
    expect(stored.headers).toEqual(added);
    for (const name of Object.keys(added)) expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect(again.headers.getSetCookie().toSorted()).toEqual([...new Set(first.headers.getSetCookie())]);
  });
});

describe('the body of a stored response', () => {
  it.each([
    ['integer', '{"id":9223372036854775807}'],
    ['text', 'done'],
    ['nothing', ''],
    [
      'many',
      `{${Object.keys(MANY)
        .map((name) => `"${name}":9007199254740993`)
        .join()}}`,
    ],
  ])('is sent again with every character, and interceptors read it exactly: %s', async (name, text) => {
    const { seen } = service.app.get(Results, { strict: false });
    seen.length = 0;
    const { first, again } = await twice(`bodies/${name}`);
    expect([first.text, again.text]).toEqual([text, text]);
    expect(seen).toEqual([BODIES[name], BODIES[name]]);
  });

  it('is sent again in the spelling of its numbers', async () => {
    const { first, again } = await twice('bodies/double');
    expect([first.text, again.text]).toEqual(['{"grams":1e+21}', '{"grams":1e+21}']);
  });
});
