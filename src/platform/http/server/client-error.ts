import type { Socket } from 'node:net';
import type { HttpErrorCode } from '../errors/error-codes.js';
import { errorBody } from '../errors/error-body.js';
import { HttpRefusal } from '../errors/http-refusal.js';

const MEANING: Record<string, [HttpErrorCode, string]> = {
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
const MALFORMED: [HttpErrorCode, string] = [
  'invalid_parameter',
  'The request is not valid HTTP/1.1 (RFC 9112).',
];
const REASON: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
};

/** Answers what Node's parser could not read as a request, where there is no response object, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [code, message] = MEANING[error.code ?? ''] ?? MALFORMED;
  const refusal = new HttpRefusal(code, message);
  const { contentType, body } = errorBody(refusal, false, '');
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${REASON[refusal.status]}`,
      `Content-Type: ${contentType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
