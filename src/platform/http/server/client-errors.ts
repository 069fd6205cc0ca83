import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { requestRejected } from '../../observability/requests.js';
import { errorResponse, type ErrorResponse } from '../errors/api-exception.js';
import { errorBody } from '../errors/write-error.js';
import { factsOf } from '../request.js';
import { SECURITY_HEADERS } from './express-messages.js';
import { MALFORMED, MAX_ADDRESS_LENGTH, URI_TOO_LONG } from './request-line.js';

/** How long a client may take to close its side. Until then its data is read, so that the answer arrives. */
const LINGER_MS = 500;

const TOO_LATE = 'ERR_HTTP_REQUEST_TIMEOUT';
/** By the code of Node's error. */
const ERRORS: Readonly<Record<string, ErrorResponse>> = {
  HPE_HEADER_OVERFLOW: errorResponse('headers_too_large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorResponse('payload_too_large'),
  [TOO_LATE]: errorResponse('request_timeout'),
};

type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** A server that knows the answers that its connections wait for. */
interface OwingServer extends Server {
  nextTo(socket: Socket): ServerResponse | undefined;
  endBehindWaiting(socket: Socket): boolean;
}

/** Answers what Node's parser refuses, and closes the connection. */
export function answerClientErrors(server: OwingServer) {
  let latest = '';
  const refused = new LogCounter((count) =>
    new Logger('ClientErrors').warn(`unreadable: refused ${count}, the latest for ${latest}`),
  );
  server.once('close', () => refused.end());
  server.on('clientError', ({ code = 'no reason', rawPacket }: ClientError, socket: Socket) => {
    // It was told, or has said itself that this was all; what it still sends is ignored.
    if (socket.writableEnded || code === 'HPE_CLOSED_CONNECTION') return;
    if (code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    if (code === TOO_LATE && server.endBehindWaiting(socket)) return;
    // Node counts the address as part of the headers; if even the first line is too long, the address is.
    const line = rawPacket?.indexOf('\r\n') ?? 0;
    const isAddress = code === 'HPE_HEADER_OVERFLOW' && (line < 0 || line > MAX_ADDRESS_LENGTH);
    answerLast(socket, isAddress ? URI_TOO_LONG : (ERRORS[code] ?? MALFORMED), server.nextTo(socket));
    latest = code;
    refused.add();
    requestRejected.publish('unreadable');
  });
}

/** Closes a connection with an error, or without a word if it waits for the answer to an earlier request. */
export function answerLast(socket: Socket, error: ErrorResponse, next?: ServerResponse): void {
  if (next && (next.req.complete || next.headersSent)) socket.destroy();
  else
    socket.resume().end(errorText(error, next), () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
}

const KEPT = ['Access-Control-Allow-Origin', 'Vary', 'Access-Control-Expose-Headers'];

/** An answer past the response object, which belongs to a handler; without one nobody knows what the client accepts. */
export function errorText(error: ErrorResponse, response?: ServerResponse, connection = 'close'): string {
  const { contentType, body } = errorBody(error, response);
  const kept = KEPT.map((name) => [name, response?.getHeader(name)] as const);
  const headers = [
    ['Date', new Date().toUTCString()],
    ['Content-Type', contentType],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Cache-Control', 'no-store'],
    ['Connection', connection],
    ['X-Request-Id', (response && factsOf(response.req).id) ?? randomUUID()],
    ...kept.filter(([, value]) => value !== undefined),
    ...SECURITY_HEADERS,
    ...Object.entries(error.headers),
  ];
  const head = headers.map((header) => `${header.join(': ')}\r\n`).join('');
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${head}\r\n${body}`;
}
