import { createReadStream } from 'node:fs';
import {
  Controller,
  Get,
  Header,
  HttpCode,
  MethodNotAllowedException,
  Post,
  StreamableFile,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Public } from '../../../src/platform/http/index.js';
import { sqlite } from '../../support/engines.js';
import { rawRequest } from '../../support/http/raw-request.js';
import { type Service, startService } from '../../support/service.js';

const BODIES = {
  object: () => ({ id: 1n }),
  text: () => 'text',
  file: () => new StreamableFile(Buffer.from('bytes'), { type: 'text/csv', length: 5 }),
  missing: () => new StreamableFile(createReadStream('/nowhere')),
  nothing: () => undefined,
};

/** A handler for each status that has no content, and each kind of result. */
function emptyController(): Function {
  @Public()
  @Controller({ path: 'empty', version: VERSION_NEUTRAL })
  class EmptyController {
    @Post('closed')
    closed() {}

    @Get('closed')
    refuse() {
      throw new MethodNotAllowedException();
    }
  }
  const prototype = EmptyController.prototype as unknown as Record<string, Function>;
  for (const status of [204, 205, 304])
    for (const [kind, handler] of Object.entries(BODIES)) {
      const name = `${kind}${status}`;
      const descriptor = { value: () => handler(), configurable: true };
      Object.defineProperty(prototype, name, descriptor);
      Get(`${status}/${kind}`)(prototype, name, descriptor);
      HttpCode(status)(prototype, name, descriptor);
      Header('Content-Type', 'text/csv')(prototype, name, descriptor);
    }
  return EmptyController;
}

describe('a response whose status allows no content', () => {
  let service: Service;
  beforeAll(async () => {
    const controllers = [emptyController() as new () => object];
    service = await startService(sqlite, { modules: [{ module: class Emptying {}, controllers }] });
  });
  afterAll(() => service.stop());

  it.each([204, 205, 304].flatMap((status) => Object.keys(BODIES).map((kind) => [status, kind] as const)))(
    'with status %i has no body, whatever its handler returns: %s',
    async (status, kind) => {
      const request = `GET /empty/${status}/${kind} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`;
      const [head, body] = (await rawRequest(service.port, request)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(body).toBe('');
      expect(head).not.toMatch(/^(Content-Type|Content-Disposition|Transfer-Encoding):/im);
      // Clients read 205 like any other response, so it must declare an empty body (RFC 9110 section 15.3.6).
      const length = /^Content-Length: (.*)$/im.exec(head!)?.[1];
      expect(length?.trim()).toBe(status === 205 ? '0' : undefined);
    },
  );

  it('is followed by the next response on its connection', async () => {
    const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: here\r\n${more}\r\n`;
    const both = ask('/empty/204/object') + ask('/livez', 'Connection: close\r\n');
    expect(await rawRequest(service.port, both)).toMatch(/^HTTP\/1.1 204 [^]*\r\n\r\nHTTP\/1.1 200 /);
  });

  it('lists the methods of its URL in Allow when a handler returns 405, as in other 405 responses', async () => {
    const thrown = await service.stranger.get('/empty/closed');
    const unmatched = await service.stranger.send('PUT', '/empty/closed');
    expect([thrown.status, unmatched.status]).toEqual([405, 405]);
    expect(thrown.json).toMatchObject({ code: 'method_not_allowed' });
    expect(thrown.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    expect(unmatched.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
  });
});
