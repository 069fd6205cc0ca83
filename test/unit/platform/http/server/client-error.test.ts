import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerClientError } from '../../../../../src/platform/http/server/client-error.js';

let server: Server;

beforeAll(async () => {
  server = createServer(
    { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 },
    (request) => request.resume(),
  );
  server.on('clientError', (error, socket) => answerClientError(error, socket as Socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends bytes and waits until the server hangs up. */
async function send(bytes: string): Promise<{ head: string; body: unknown }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(bytes);
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) answer += chunk as string;
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  return { head, body: JSON.parse(body) };
}

describe('what cannot be read as a request', () => {
  it.each([
    ['is no HTTP at all', 'HELLO\r\n\r\n', 400, 'invalid_parameter'],
    ['has a blank in its address', 'GET /v1/pets 7 HTTP/1.1\r\n\r\n', 400, 'invalid_parameter'],
    [
      'has a length that is no number',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
      400,
      'invalid_parameter',
    ],
    [
      'has headers without end',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'has chunks with endless remarks',
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;x=${'x'.repeat(20_000)}\r\na\r\n`,
      413,
      'payload_too_large',
    ],
    ['never comes to its end', 'GET / HTTP/1.1\r\nHost:', 408, 'request_timeout'],
  ])('and %s is refused like everything else', async (_, bytes, status, code) => {
    const { head, body } = await send(bytes);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
    expect(head).toContain('Content-Type: application/json; charset=utf-8');
    expect(body).toEqual({ code, status, message: expect.any(String) as string });
  });
});

describe('a client who is gone, or never said anything,', () => {
  it('is not told anything when not a word ever came', async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    for await (const chunk of socket.setEncoding('utf8')) answer += chunk as string;
    expect(answer).toBe('');
  });

  it('is not written to', () => {
    const socket = new Socket();
    answerClientError(Object.assign(new Error('gone'), { code: 'ECONNRESET' }), socket);
    expect([socket.destroyed, socket.bytesWritten]).toEqual([true, 0]);
  });
});
