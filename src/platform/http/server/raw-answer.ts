import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpErrorCode } from '../errors/error-codes.js';
import { errorBody } from '../errors/error-body.js';
import { HttpRefusal } from '../errors/http-refusal.js';
import { STANDING_HEADERS } from './standing-headers.js';

/** How long a client may take to close its side, in ms; what it still sends is read meanwhile, so that the answer arrives. */
const LINGER_MS = 500;

/** Answers with an error where there is no response object, and closes the connection. */
export function answerRaw(
  socket: Duplex,
  code: HttpErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const refusal = new HttpRefusal(code, message, { headers });
  const { contentType, body } = errorBody(refusal, false, '');
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `Date: ${new Date().toUTCString()}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    `X-Request-Id: ${randomUUID()}`,
    ...[...STANDING_HEADERS, ...Object.entries(headers)].map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
