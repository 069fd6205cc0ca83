import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpErrorCode } from '../errors/error-codes.js';
import { ApiException } from '../errors/api-exception.js';
import { writeError } from '../errors/write-error.js';
import { randomUUID } from 'node:crypto';

/** More than any address of ours needs; RFC 9110 section 4.1 asks for 8000 at least. */
export const MAX_ADDRESS_LENGTH = 8_192;
/** Several times as many as a browser sends through a chain of proxies. */
export const MAX_HEADERS = 100;

/** Refuses what Node lets through although it is no good HTTP. @returns whether it did */
export function rejectMalformedRequest(request: IncomingMessage, response: ServerResponse): boolean {
  const { url = '', httpVersion, rawHeaders } = request;
  if (url.length > MAX_ADDRESS_LENGTH) {
    return refuse(response, 'uri_too_long', 'The address is too long. Shorten its query.');
  }
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    const message = `The request has more than ${MAX_HEADERS} headers. Send fewer.`;
    return refuse(response, 'headers_too_large', message);
  }
  const hosts = countOf('host', rawHeaders);
  // RFC 9112 section 3.2: just one, but HTTP/1.0 knows none.
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    return refuse(
      response,
      'invalid_parameter',
      'The request must have exactly one Host header (RFC 9112 section 3.2).',
    );
  }
  return false;
}

/** How often a header came; Node keeps only the first of those that must not be repeated. */
export function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i]!;
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}

function refuse(response: ServerResponse, code: HttpErrorCode, message: string): true {
  response.setHeader('Connection', 'close');
  writeError(response, new ApiException(code, message), false, '');
  return true;
}

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

/** The id under which a request stands in answers and logs: the client's own if it is harmless, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
}
