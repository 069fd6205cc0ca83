import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Logger } from '@nestjs/common';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { errorResponse, type ErrorResponse } from '../errors/api-exception.js';
import { errorBody } from '../errors/write-error.js';
import { requestRejected } from '../http-channels.js';
import { MAX_ADDRESS_LENGTH, MAX_HEADERS, URI_TOO_LONG } from './request-line.js';
import { linesOf, SECURITY_HEADERS } from './security-headers.js';

/**
 * Limits of a connection: bytes of address and headers together, and times in ms to send the headers, to send all of the
 * request, to send another one. A connection on which nothing ever came has no longer than one whose headers do not end.
 */
export const CONNECTION_LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 6_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 250,
};
/** How long a client may take to close its side; what it still sends is read meanwhile, so that the answer arrives. */
const LINGER_MS = 500;

/** Limits the number of connections. One too many is closed without an answer: nothing has been asked on it yet. */
export function limitConnections(server: Server, maxConnections: number): void {
  server.maxConnections = maxConnections;
  // Node drops what is beyond in silence; with one more than we allow it can be seen, and rejected.
  server.maxHeadersCount = MAX_HEADERS + 1;
  const dropped = new LogCounter((count) =>
    new Logger('Connections').warn(`closed ${count} at once, with ${maxConnections} open`),
  );
  server.on('drop', () => {
    dropped.add();
    requestRejected.publish('connections');
  });
  server.once('close', () => dropped.end());
}

const MALFORMED = errorResponse('invalid_parameter', 'The request is not valid HTTP/1.1 (RFC 9112).');
/** By the code of Node's error. */
const ERRORS: Readonly<Record<string, ErrorResponse>> = {
  HPE_HEADER_OVERFLOW: errorResponse(
    'headers_too_large',
    'The request headers are too large. Send fewer or shorter ones.',
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorResponse(
    'payload_too_large',
    'The chunk extensions of the body are too large. Leave them out.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: errorResponse(
    'request_timeout',
    'The request took too long to arrive. Send it again, faster.',
  ),
};

type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Answers what Node's parser could not read as a request, and closes the connection. A silent client gets no answer. */
export function answerClientErrors(server: Server): void {
  let latest = '';
  const rejected = new LogCounter((count) =>
    new Logger('ClientErrors').warn(`unreadable: refused ${count}, the latest for ${latest}`),
  );
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const { code = 'no reason' } = error;
    if (code === 'ECONNRESET' || !socket.writable || isSilent(error, socket)) {
      socket.destroy();
      return;
    }
    answerRaw(socket, endsInRequestLine(error) ? URI_TOO_LONG : (ERRORS[code] ?? MALFORMED));
    latest = code;
    rejected.add();
    requestRejected.publish('unreadable');
  });
  server.once('close', () => rejected.end());
}

const isSilent = ({ code }: NodeJS.ErrnoException, { bytesRead }: Socket) =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' && bytesRead === 0;

/** Node counts the address among the headers; when the first line alone is too long, it is the address. */
function endsInRequestLine({ code, rawPacket }: ClientError): boolean {
  const end = rawPacket?.indexOf('\r\n') ?? 0;
  return code === 'HPE_HEADER_OVERFLOW' && (end < 0 || end > MAX_ADDRESS_LENGTH);
}

/** Answers with an error where there is no response object, and closes the connection. */
export function answerRaw(socket: Duplex, error: ErrorResponse): void {
  const { contentType, body } = errorBody(error);
  const headers = linesOf([
    ['Date', new Date().toUTCString()],
    ['Content-Type', contentType],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Cache-Control', 'no-store'],
    ['Connection', 'close'],
    ['X-Request-Id', randomUUID()],
    ...SECURITY_HEADERS,
    ...Object.entries(error.headers),
  ]);
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${headers}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
