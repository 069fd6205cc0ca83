import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Request } from 'express';
import { errorResponse, type ErrorResponse } from '../errors/api-exception.js';
import { answerWithError } from '../errors/write-error.js';

/** More than our addresses need; RFC 9110 section 4.1 recommends at least 8000. */
export const MAX_ADDRESS_LENGTH = 8_192;
/** Probes are always answered, because a busy process must not be mistaken for a dead one. */
export const PROBE = /^\/(?:livez|readyz)(?:\?|$)/;
/** Several times the number that a browser sends through a chain of proxies. */
export const MAX_HEADERS = 100;

export const URI_TOO_LONG = errorResponse('uri_too_long', 'The address is too long. Shorten its query.');
const TOO_MANY_HEADERS = errorResponse(
  'headers_too_large',
  `The request has more than ${MAX_HEADERS} headers. Send fewer.`,
);
const WRONG_HOST = errorResponse(
  'invalid_parameter',
  'The request must have exactly one Host header, with a host and perhaps a port (RFC 9112 section 3.2).',
);

const refused = new WeakSet<IncomingMessage['socket']>();

/**
 * Whether a request came on a connection after one that was rejected as malformed, whose end is uncertain. Node still parses
 * it, but after an answer that closes nothing may be processed (RFC 9112 section 9.6).
 */
export const isBehindMalformed = ({ socket }: IncomingMessage): boolean => refused.has(socket);

/** Rejects malformed HTTP that Node accepts. @returns whether it did */
export function rejectMalformedRequest(request: IncomingMessage, response: ServerResponse): boolean {
  const error = errorOf(request) ?? unsupported(request);
  if (!error) return false;
  refused.add(request.socket);
  response.setHeader('Connection', 'close');
  answerWithError(request as Request, response, error);
  return true;
}

function errorOf({ url = '', httpVersion, headers, rawHeaders }: IncomingMessage): ErrorResponse | undefined {
  if (url.length > MAX_ADDRESS_LENGTH) return URI_TOO_LONG;
  if (rawHeaders.length > 2 * MAX_HEADERS) return TOO_MANY_HEADERS;
  const hosts = countHeader('host', rawHeaders);
  // RFC 9112 section 3.2: exactly one, except in HTTP/1.0, which does not have it.
  const isRight = hosts === 0 ? httpVersion !== '1.1' : hosts === 1 && isHost(headers.host!);
  return isRight ? undefined : WRONG_HOST;
}

/**
 * RFC 3986 section 3.2.2, with the port of section 3.2.3. A comma is rejected as well: it is in no host name, but joins two
 * fields in a proxy.
 */
const HOST = /^(?:\[([\da-f:.]+)\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::\d{0,5})?$/i;

export function isHost(text: string): boolean {
  const [whole, address] = HOST.exec(text) ?? [];
  return whole !== undefined && (address === undefined || isIPv6(address));
}

const WRONG_VERSION = errorResponse('invalid_parameter', 'The request must be one of HTTP/1.1 (RFC 9112).');
const WRONG_CODING = errorResponse(
  'invalid_parameter',
  'The only Transfer-Encoding that is understood is chunked, in HTTP/1.1 (RFC 9112 section 6.1).',
);
const WRONG_TARGET = errorResponse(
  'invalid_parameter',
  'The address must begin with a slash, or with http:// or https:// and a host (RFC 9112 section 3.2).',
);
const ABSOLUTE = /^https?:\/\/[^/?#]/i;

/** Malformed requests that Node's parser accepts: versions 0.9 and 2.0, unknown transfer codings, other schemes. */
function unsupported(request: IncomingMessage): ErrorResponse | undefined {
  const { url = '', httpVersionMajor, httpVersion, headers } = request;
  if (httpVersionMajor !== 1) return WRONG_VERSION;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return WRONG_CODING;
  const isKnown = url.startsWith('/') || url === '*' || (ABSOLUTE.test(url) && URL.canParse(url));
  return isKnown ? undefined : WRONG_TARGET;
}

/** The number of headers with this name; Node merges or drops repeated ones. */
export function countHeader(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i]!;
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}

const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of a request in answers and logs: the client's own if it is harmless, otherwise a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTABLE_ID.test(given) ? given : randomUUID();
}

/** Whether the body is being read and has not completely arrived. */
export const isUploading = (request: IncomingMessage) =>
  !request.complete && request.readableFlowing === true;
