import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { writeJson } from '../../json/write-json.js';
import type { ErrorResponse } from './api-exception.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json';

/**
 * The body of an error: `code`, `message`, `status`, and `details` if a body or a query was validated. With `instance`, the path
 * of the request, it also has the members of RFC 9457 section 3.1; `prefix` is the path that a proxy has stripped from it.
 */
export function errorBody(
  error: ErrorResponse,
  instance?: string,
  prefix = '',
): { contentType: string; body: string } {
  const { code, message, status, details } = error;
  const plain = { code, message, status, details };
  if (instance === undefined) return { contentType: JSON_TYPE, body: writeJson(plain) };

  const title = code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');
  const problem = {
    type: `${prefix}/docs/errors#${code}`,
    title,
    detail: message,
    instance: prefix + instance,
    ...plain,
  };
  return { contentType: `${PROBLEM_TYPE}; charset=utf-8`, body: writeJson(problem) };
}

/** The setting of the Express application with the path that a proxy strips. */
export const PATH_PREFIX = 'path prefix';

/** Sends an error as the answer to a request: all errors that have a response object are written here. */
export function answerWithError(request: Request, response: ServerResponse, error: ErrorResponse): void {
  const { contentType, body } = errorBodyFor(request, error);
  response.statusCode = error.status;
  for (const [name, value] of Object.entries(error.headers))
    if (!error.keepsHeaders || !response.hasHeader(name)) response.setHeader(name, value);
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.setHeader('Cache-Control', 'no-store');
  response.end(body);
}

/** The body of an error for a client, as a problem (RFC 9457) if it asks for that media type. */
export function errorBodyFor(request: Request, error: ErrorResponse): ReturnType<typeof errorBody> {
  if (!acceptsProblem(request)) return errorBody(error);
  // A malformed address may have no path.
  const path = (request.path as string | null) ?? '/';
  return errorBody(error, uriReference(path), request.app.get(PATH_PREFIX) as string);
}

/** Characters that are neither a `pchar` of RFC 3986 section 3.3 nor a slash, but which Node accepts in a path. */
const NOT_IN_PATH = /%(?![0-9a-f]{2})|[^\w.~!$&'()*+,;=:@/%-]/gi;

/** A path as a URI reference, for `instance` (RFC 9457 section 3.1.5); two slashes would begin a host (RFC 3986 4.2). */
export const uriReference = (path: string): string =>
  path
    .replaceAll(NOT_IN_PATH, (byte) => `%${Buffer.from(byte, 'latin1').toString('hex').toUpperCase()}`)
    .replace(/^\/\//, '/.//');

function acceptsProblem(request: Request): boolean {
  const isNamed = request.headers.accept?.toLowerCase().includes(PROBLEM_TYPE);
  return isNamed === true && request.accepts(['application/json', PROBLEM_TYPE]) === PROBLEM_TYPE;
}
