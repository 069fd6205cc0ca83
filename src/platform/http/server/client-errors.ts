import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { requestRejected } from '../../observability/requests.js';
import { errorResponse, type ErrorResponse } from '../errors/api-exception.js';
import { errorBody, requiredHeaders } from '../errors/write-error.js';
import { factsOf } from '../request.js';
import { SECURITY_HEADERS } from './express-messages.js';
import { MALFORMED, MAX_ADDRESS_LENGTH, URI_TOO_LONG } from './request-line.js';

/** The time that a client has to close its side. Until then its data is read, so that the response arrives. */
const LINGER_MS = 500;

const TOO_LATE = 'ERR_HTTP_REQUEST_TIMEOUT';
/** The responses by the code of Node's error. */
const ERRORS: Readonly<Record<string, ErrorResponse>> = {
  HPE_HEADER_OVERFLOW: errorResponse('headers_too_large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorResponse('payload_too_large'),
  [TOO_LATE]: errorResponse('request_timeout'),
};

type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** A server that knows the responses that its connections wait for. */
interface OwingServer extends Server {
  nextTo(socket: Socket): ServerResponse | undefined;
  endBehindWaiting(socket: Socket): boolean;
}

/** Answers requests that Node's parser rejects, and closes the connection. */
export function answerClientErrors(server: OwingServer) {
  let latest = '';
  const refused = new LogCounter((count) =>
    new Logger('ClientErrors').warn(`unreadable: refused ${count}, the latest for ${latest}`),
  );
  server.once('close', () => refused.end());
  server.on('clientError', ({ code = 'no reason', rawPacket }: ClientError, socket: Socket) => {
    // The client has its response, or has ended its side itself. What it still sends is ignored.
    if (socket.writableEnded || code === 'HPE_CLOSED_CONNECTION') return;
    if (code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    if (code === TOO_LATE && server.endBehindWaiting(socket)) return;
    // Node counts the URL as part of the headers. If the first line alone is too long, the URL is too long.
    const line = rawPacket?.indexOf('\r\n') ?? 0;
    const isAddress = code === 'HPE_HEADER_OVERFLOW' && (line < 0 || line > MAX_ADDRESS_LENGTH);
    answerLast(socket, isAddress ? URI_TOO_LONG : (ERRORS[code] ?? MALFORMED), server.nextTo(socket));
    latest = code;
    refused.add();
    requestRejected.publish('unreadable');
  });
}

/** Closes a connection with an error, or without a response if it waits for the response to an earlier request. */
export function answerLast(socket: Socket, error: ErrorResponse, next?: ServerResponse): void {
  if (next && (next.req.complete || next.headersSent)) socket.destroy();
  else
    socket.resume().end(errorText(error, next), () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
}

/** The headers that pages of other origins need to read an error. */
const CORS_HEADERS = ['Access-Control-Allow-Origin', 'Vary', 'Access-Control-Expose-Headers'];

/**
 * The text of a response that is written to the socket, because a handler owns the response object. Without that object the media types
 * that the client accepts are unknown.
 */
export function errorText(error: ErrorResponse, response?: ServerResponse, connection = 'close'): string {
  const { contentType, body } = errorBody(error, response);
  const corsHeaders = CORS_HEADERS.map((name) => [name, response?.getHeader(name)] as const);
  const headers = [
    ['Date', new Date().toUTCString()],
    ['Content-Type', contentType],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Cache-Control', 'no-store'],
    ['Connection', connection],
    ['X-Request-Id', (response && factsOf(response.req).id) ?? randomUUID()],
    ...corsHeaders.filter(([, value]) => value !== undefined),
    ...SECURITY_HEADERS,
    ...Object.entries({ ...requiredHeaders(error.status), ...error.headers }),
  ];
  const head = headers.map((header) => `${header.join(': ')}\r\n`).join('');
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${head}\r\n${body}`;
}
