import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { MAX_ADDRESS_LENGTH, MAX_HEADERS } from './request-line.js';
import { requestRejected } from './server-channels.js';
import type { HttpErrorCode } from '../errors/error-codes.js';
import { answerRaw } from './early-errors.js';

/**
 * What a client may take of us without having said anything of use: bytes of address and headers together, and times in ms
 * to send its headers, to send all of the request, to send another one. A connection on which nothing ever came has no
 * longer than one whose headers do not end.
 */
export const BOUNDS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 6_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 250,
};

/** Bounds how many connections there are at a time. One too many is closed without a word: nobody has asked anything yet. */
export function boundConnections(server: Server, most: number): void {
  server.maxConnections = most;
  // Node drops what is beyond in silence; with one more than we allow it can be seen, and counted.
  server.maxHeadersCount = MAX_HEADERS + 1;
  const dropped = new LogCounter((count) =>
    new Logger('Connections').warn(`closed ${count} at once, with ${most} open`),
  );
  server.on('drop', () => {
    dropped.add();
    requestRejected.publish('connections');
  });
  server.once('close', () => dropped.end());
}

type Meaning = readonly [code: HttpErrorCode, message: string];

const MALFORMED: Meaning = ['invalid_parameter', 'The request is not valid HTTP/1.1 (RFC 9112).'];
const URI_TOO_LONG: Meaning = ['uri_too_long', 'The address is too long. Shorten its query.'];
const MEANING: Readonly<Record<string, Meaning>> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'The request headers are too large. Send fewer or shorter ones.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'payload_too_large',
    'The chunk extensions of the body are too large. Leave them out.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'request_timeout',
    'The request took too long to arrive. Send it again, faster.',
  ],
};

type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Answers what Node's parser could not read as a request, and closes the connection. Who never said a word is told nothing. */
export class ClientErrors {
  #latest = '';
  readonly #rejected = new LogCounter((count) =>
    new Logger('ClientErrors').warn(`unreadable: refused ${count}, the latest for ${this.#latest}`),
  );

  answer(error: ClientError, socket: Socket): void {
    const { code = 'no reason' } = error;
    if (code === 'ECONNRESET' || !socket.writable || isSilent(error, socket)) {
      socket.destroy();
      return;
    }
    answerRaw(socket, ...(endsInRequestLine(error) ? URI_TOO_LONG : (MEANING[code] ?? MALFORMED)));
    this.#latest = code;
    this.#rejected.add();
    requestRejected.publish('unreadable');
  }

  /** The server has closed. */
  end(): void {
    this.#rejected.end();
  }
}

const isSilent = ({ code }: NodeJS.ErrnoException, { bytesRead }: Socket) =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' && bytesRead === 0;

/** Node counts the address among the headers; when the first line alone is too long, it is the address. */
function endsInRequestLine({ code, rawPacket }: ClientError): boolean {
  const end = rawPacket?.indexOf('\r\n') ?? 0;
  return code === 'HPE_HEADER_OVERFLOW' && (end < 0 || end > MAX_ADDRESS_LENGTH);
}
