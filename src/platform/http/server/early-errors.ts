import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpErrorCode } from '../errors/error-codes.js';
import { errorBody } from '../errors/error-body.js';
import { ApiException } from '../errors/api-exception.js';
import {
  CONTENT_SECURITY_POLICY,
  linesOf,
  SECURITY_HEADERS,
  SECURITY_HEADER_LINES,
} from './security-headers.js';
import type { LeanResponse } from './lean-response.js';
import { requestIdOf } from './request-line.js';

/** How long a client may take to close its side, in ms; what it still sends is read meanwhile, so that the answer arrives. */
const LINGER_MS = 500;

/** Answers with an error where there is no response object, and closes the connection. */
export function answerRaw(
  socket: Duplex,
  code: HttpErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const refusal = new ApiException(code, message, { headers });
  const { contentType, body } = errorBody(refusal, false, '');
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `Date: ${new Date().toUTCString()}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    `X-Request-Id: ${randomUUID()}`,
    ...[...SECURITY_HEADERS, ...Object.entries(headers)].map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** A refusal that is written once and sent many times: saying no must cost next to nothing. */
export class PrerenderedError {
  readonly #status: number;
  readonly #body: string;
  readonly #length: number;
  readonly #headerLines: string;

  constructor(refusal: ApiException) {
    const { contentType, body } = errorBody(refusal, false, '');
    this.#status = refusal.status;
    this.#body = body;
    this.#length = Buffer.byteLength(body);
    const headers = { ...refusal.headers, 'Content-Type': contentType, 'Cache-Control': 'no-store' };
    this.#headerLines =
      SECURITY_HEADER_LINES + linesOf([CONTENT_SECURITY_POLICY, ...Object.entries(headers)]);
  }

  send(response: LeanResponse): void {
    response.fixedHeaderLines = this.#headerLines;
    response.statusCode = this.#status;
    response.setHeader('X-Request-Id', requestIdOf(response.req));
    response.setHeader('Content-Length', this.#length);
    response.end(this.#body);
  }
}
