import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { errorResponse } from '../errors/api-exception.js';

/** More than the URLs of the service need. RFC 9110 section 4.1 recommends at least 8000. */
export const MAX_ADDRESS_LENGTH = 8_192;
export const URI_TOO_LONG = errorResponse('uri_too_long');
export const MALFORMED = errorResponse('invalid_parameter', 'The request is not valid HTTP/1.1 (RFC 9112).');
/** Several times the number that a browser sends through a chain of proxies. */
export const MAX_HEADERS = 100;
const TOO_MANY_HEADERS = errorResponse(
  'headers_too_large',
  `The request has more than ${MAX_HEADERS} headers. Send fewer.`,
);
const WRONG_HOST = errorResponse(
  'invalid_parameter',
  'The request must have exactly one Host header, with a host and perhaps a port (RFC 9112 section 3.2).',
);
/** A target without a fragment (RFC 9112 section 3.2.1). Express reads one with a fragment or a space in another way than proxies do. */
const ORIGIN_FORM = /^\/[^#\s]*$/;
/** A target with a host, and without user information (RFC 9110 section 4.2.4), a fragment or a backslash. */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#@\s\\]+(?:[/?][^#\s\\]*)?$/i;

/**
 * The error for a request that Node's parser accepts and the service rejects. Undefined for a good request. HTTP/1.0 does not need Host
 * (RFC 9112 section 3.2).
 */
export function refusalOf({ url = '', httpVersion, headers, rawHeaders }: IncomingMessage) {
  // Node reads a request line without a version as HTTP/0.9.
  if (!httpVersion.startsWith('1.')) return MALFORMED;
  if (url.length > MAX_ADDRESS_LENGTH) return URI_TOO_LONG;
  if (rawHeaders.length > 2 * MAX_HEADERS) return TOO_MANY_HEADERS;
  // Node joins several Host headers by a comma, which no host has.
  if (headers.host === undefined ? httpVersion === '1.1' : !isHost(headers.host)) return WRONG_HOST;
  const isTarget = ORIGIN_FORM.test(url) || url === '*' || (ABSOLUTE_FORM.test(url) && URL.canParse(url));
  return isTarget ? undefined : MALFORMED;
}

/** Whether a proxy may see the end of the message at another place, so that the connection must close (RFC 9112 section 6.1). */
export const hasFaultyFraming = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;

/** RFC 3986 sections 3.2.2 and 3.2.3, without the comma. A comma is not in any host name, and it joins two headers. */
const HOST = /^(?:\[([\da-f:.]+)\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::\d{0,5})?$/i;

export function isHost(text: string): boolean {
  const [whole, address] = HOST.exec(text) ?? [];
  return whole !== undefined && (address === undefined || isIPv6(address));
}

const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of a request in responses and logs: the id that the client sent if it is harmless, otherwise a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTABLE_ID.test(given) ? given : randomUUID();
}
