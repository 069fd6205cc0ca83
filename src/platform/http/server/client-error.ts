import type { Socket } from 'node:net';
import type { HttpErrorCode } from '../errors/error-codes.js';
import { answerRaw } from './raw-answer.js';
import { LONGEST_ADDRESS } from './request-line.js';

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

/** Answers what Node's parser could not read as a request, and closes the connection. Who never said a word is told nothing. */
export function answerClientError(
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isSilent(error, socket)) {
    socket.destroy();
    return;
  }
  answerRaw(socket, ...(endsInRequestLine(error) ? URI_TOO_LONG : (MEANING[error.code ?? ''] ?? MALFORMED)));
}

const isSilent = ({ code }: NodeJS.ErrnoException, { bytesRead }: Socket) =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' && bytesRead === 0;

/** Node counts the address among the headers; when the first line alone is too long, it is the address. */
function endsInRequestLine({ code, rawPacket }: { code?: string; rawPacket?: Buffer }): boolean {
  const end = rawPacket?.indexOf('\r\n') ?? 0;
  return code === 'HPE_HEADER_OVERFLOW' && (end < 0 || end > LONGEST_ADDRESS);
}
