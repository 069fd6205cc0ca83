import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpErrorCode } from '../errors/error-codes.js';
import { errorBody } from '../errors/error-body.js';
import { HttpRefusal } from '../errors/http-refusal.js';
import { STANDING_HEADERS } from './standing-headers.js';

/** Answers with an error where there is no response object, and closes the connection. */
export function answerRaw(socket: Duplex, code: HttpErrorCode, message: string): void {
  const { status, headers } = new HttpRefusal(code, message, {});
  const { contentType, body } = errorBody({ status, code, message, headers }, false, '');
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    `X-Request-Id: ${randomUUID()}`,
    ...STANDING_HEADERS.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
