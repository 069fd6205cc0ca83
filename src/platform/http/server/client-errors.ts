import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Request } from 'express';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { errorResponse, type ErrorResponse } from '../errors/api-exception.js';
import { errorBody, errorBodyFor } from '../errors/write-error.js';
import { requestRejected } from '../../observability/requests.js';
import type { InFlight } from './in-flight.js';
import { MAX_ADDRESS_LENGTH, URI_TOO_LONG } from './request-line.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** How long a client may take to close its side. Until then its data is read, so that the answer arrives. */
const LINGER_MS = 500;

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

/** Answers what Node's parser rejects, and closes the connection. A client that sent nothing gets no answer. */
export function answerClientErrors(server: Server, inFlight: InFlight): void {
  let latest = '';
  const rejected = new LogCounter((count) =>
    new Logger('ClientErrors').warn(`unreadable: refused ${count}, the latest for ${latest}`),
  );
  const told = new WeakSet<Socket>();
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const { code = 'no reason' } = error;
    if (code === 'ECONNRESET' || !socket.writable || isSilent(error, socket)) {
      socket.destroy();
      return;
    }
    // An incomplete request causes another error when the client closes its side.
    if (told.has(socket)) return;
    told.add(socket);
    answerLast(socket, endsInRequestLine(error) ? URI_TOO_LONG : (ERRORS[code] ?? MALFORMED), inFlight);
    latest = code;
    rejected.add();
    requestRejected.publish('unreadable');
  });
  server.once('close', () => rejected.end());
}

const isSilent = ({ code }: NodeJS.ErrnoException, { bytesRead }: Socket) =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' && bytesRead === 0;

/** Node counts the address as part of the headers; if even the first line is too long, the address is. */
function endsInRequestLine({ code, rawPacket }: ClientError): boolean {
  const end = rawPacket?.indexOf('\r\n') ?? 0;
  return code === 'HPE_HEADER_OVERFLOW' && (end < 0 || end > MAX_ADDRESS_LENGTH);
}

/**
 * Answers with an error without a response object, and closes the connection. Earlier requests on it are carried out, so their
 * answers are sent first (RFC 9112 section 9.3.2).
 */
export function answerLast(socket: Socket, error: ErrorResponse, inFlight: InFlight): void {
  // Ignores all further data.
  socket.removeAllListeners('data').on('data', () => {});
  const unfinished = inFlight
    .waiting()
    .find(({ response: { req } }) => req.socket === socket && !req.complete);
  const answer = () => {
    const before = inFlight.waiting().find(({ response: { req } }) => req.socket === socket && req.complete);
    if (before) before.response.once('close', () => setImmediate(answer));
    else if (!socket.writable) socket.destroy();
    // Node writes finished answers one after the other without a pause, except when the client does not read.
    else if (socket.writableLength > 0) socket.write('', () => setImmediate(answer));
    else
      socket.end(textOf(error, unfinished?.response.req as Request | undefined), () =>
        setTimeout(() => socket.destroy(), LINGER_MS).unref(),
      );
  };
  setImmediate(answer);
}

/** `request` is the one whose body is wrong or late; without it nobody knows what the client accepts. */
function textOf(error: ErrorResponse, request?: Request): string {
  const { contentType, body } = request ? errorBodyFor(request, error) : errorBody(error);
  const headers = [
    ['Date', new Date().toUTCString()],
    ['Content-Type', contentType],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Cache-Control', 'no-store'],
    ['Connection', 'close'],
    ['X-Request-Id', randomUUID()],
    ...SECURITY_HEADERS,
    ...Object.entries(error.headers),
  ];
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${head}\r\n${body}`;
}
