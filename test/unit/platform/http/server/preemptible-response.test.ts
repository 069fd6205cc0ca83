import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PreemptibleResponse } from '../../../../../src/platform/http/server/preemptible-response.js';
import { SECURITY_HEADERS } from '../../../../../src/platform/http/server/security-headers.js';
import { rawRequest } from '../../../../support/http/raw-request.js';

let server: Server;
afterEach(() => void server.close());

/** The bytes that a client receives from a handler, without the Date header and the standing ones. */
async function receive(handle: (request: IncomingMessage, response: ServerResponse) => void, method = 'GET') {
  server = createServer({ ServerResponse: PreemptibleResponse as typeof ServerResponse }, handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const text = await rawRequest(port, `${method} / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`);
  const standing = SECURITY_HEADERS.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return text.replace(standing, '').replace(/Date: .*\r\n/, '');
}

describe('a preemptible response', () => {
  it('sends its headers under the names and in the order in which they were set', async () => {
    const text = await receive((_, response) => {
      response.setHeader('X-One', '1').setHeader('x-two', 2).setHeader('X-ONE', 'one');
      response.setHeader('Content-Length', 2);
      response.end('hi');
    });
    expect(text).toBe(
      'HTTP/1.1 200 OK\r\nX-ONE: one\r\nx-two: 2\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi',
    );
  });

  it('sends a header of several values as several lines', async () => {
    const text = await receive((_, response) => {
      response.setHeader('Link', ['<a>', '<b>']);
      response.appendHeader('Link', '<c>').appendHeader('X-New', 'new');
      response.end();
    });
    expect(text).toContain('\r\nLink: <a>\r\nLink: <b>\r\nLink: <c>\r\nX-New: new\r\n');
  });

  it('knows its headers by any case, and forgets those that are removed', async () => {
    const known: unknown[] = [];
    const text = await receive((_, response) => {
      response.setHeader('ETag', '"1"').setHeader('Vary', 'Accept');
      known.push(response.getHeader('etag'), response.hasHeader('ETAG'), response.hasHeader('Link'));
      response.removeHeader('etag');
      known.push(response.getHeaderNames().at(-1), response.getHeaders()['vary']);
      response.end();
    });
    expect(known).toEqual(['"1"', true, false, 'vary', 'Accept']);
    expect(text).not.toContain('ETag');
  });

  it('adds what is given to writeHead', async () => {
    const text = await receive((_, response) => {
      response.setHeader('X-One', '1').setHeader('X-Two', '2');
      response.writeHead(404, 'Gone Fishing', { 'x-two': 'two' });
      response.end();
    });
    expect(text).toContain('HTTP/1.1 404 Gone Fishing\r\nX-One: 1\r\nx-two: two\r\n');
  });

  it('takes a list of headers in writeHead, in which one may come again', async () => {
    const text = await receive((_, response) => {
      response.setHeader('X-One', '1').setHeader('X-Two', '2');
      response.writeHead(202, ['X-Two', 'two', 'Link', '<a>', 'link', '<b>']);
      response.end();
    });
    expect(text).toContain('HTTP/1.1 202 Accepted\r\nX-One: 1\r\nX-Two: two\r\nLink: <a>\r\nLink: <b>\r\n');
  });

  it.each([
    ['X A', '1'],
    ['X-File', 'filename="日本.txt"'],
    ['X-File', 'a\r\nX-Other: b'],
    ['X-File', ['a', 'b\n']],
    ['X-File', undefined],
  ])('throws where a header is set that cannot be sent: %j %j', async (name, value) => {
    const text = await receive((_, response) => {
      expect(() => response.setHeader(name, value as string)).toThrow(TypeError);
      response.end('hi');
    });
    expect(text).toBe('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi');
  });

  it('sends a security header as the handler sets it, or not at all', async () => {
    const text = await receive((_, response) => {
      response.setHeader('x-frame-options', 'SAMEORIGIN').removeHeader('Referrer-Policy');
      response.end();
    });
    const names = text.split('\r\n').map((line) => line.split(':')[0]);
    expect(names).toEqual([
      'HTTP/1.1 200 OK',
      'Content-Security-Policy',
      'Cross-Origin-Resource-Policy',
      'X-Content-Type-Options',
      'x-frame-options',
      'Connection',
      'Content-Length',
      '',
      '',
    ]);
  });

  it('tells the length of a body that nobody told, and sends none in answer to HEAD', async () => {
    const head = await receive((_, response) => response.setHeader('X-One', '1').end('hi'), 'HEAD');
    expect(head).toMatch(/\r\n\r\n$/);
    const got = await receive((_, response) => response.setHeader('X-One', '1').end('hi'));
    expect(got).toContain('Content-Length: 2\r\n');
  });

  it('does not take headers when they are sent already', async () => {
    let thrown: unknown;
    await receive((_, response) => {
      response.writeHead(200);
      try {
        response.setHeader('X-Late', '1');
      } catch (error) {
        thrown = error;
      }
      response.end();
    });
    expect(String(thrown)).toContain('after they are sent');
  });
});
