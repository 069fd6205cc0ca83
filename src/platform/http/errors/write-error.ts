import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { JSON_MEDIA_TYPE, writeJson } from '../../json/write-json.js';
import { CHALLENGE } from '../caller.js';
import { pathOf } from '../request-path.js';
import { type ErrorResponse, RETRY_AFTER } from './api-exception.js';

/** The media type of RFC 9457. */
const PROBLEM_TYPE = 'application/problem+json';

/** A response that may have the path prefix that a proxy strips from the request. */
type Prefixed = ServerResponse & { readonly pathPrefix?: string };

/** Sends an error as the response to a request. It sends every error that is written to a response object. */
export function answerWithError(response: Prefixed, error: ErrorResponse): void {
  const { contentType, body } = errorBody(error, response);
  response.statusCode = error.status;
  // A handler may have set them for the content that it did not return.
  for (const name of ['Content-Disposition', 'ETag']) response.removeHeader(name);
  // A header that is set already stays, because a guard may know better when to retry.
  for (const [name, value] of Object.entries(requiredHeaders(error.status)))
    if (!response.hasHeader(name)) response.setHeader(name, value);
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.setHeader('Cache-Control', 'no-store');
  response.end(body);
}

/**
 * The headers that a status requires, except `Allow` of 405 (RFC 9110 sections 15.5.2 and 15.6.4, RFC 6585 section 4). A 403 does not
 * require a challenge. A 426 requires a protocol that only the author of the error knows.
 */
export function requiredHeaders(status: number): ErrorResponse['headers'] {
  if (status === 401) return { 'WWW-Authenticate': CHALLENGE };
  return status === 429 || status === 503 ? RETRY_AFTER : {};
}

/**
 * The body of an error: `code`, `message` and `status`, and `details` if a body or a query was validated. A client that accepts
 * `application/problem+json` also gets the members of RFC 9457 section 3.1.
 */
export function errorBody(
  { code, message, status, details, problem: members }: ErrorResponse,
  response?: Prefixed,
) {
  const plain = { code, message, status, details };
  const request = response?.req as Request | undefined;
  if (!request || !acceptsProblem(request)) return { contentType: JSON_MEDIA_TYPE, body: writeJson(plain) };
  const { pathPrefix = '' } = response!;
  const problem = {
    type: `${pathPrefix}/docs/errors#${code}`,
    title: code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' '),
    detail: message,
    instance: pathPrefix + pathOf(request),
    ...plain,
    ...members,
  };
  return { contentType: `${PROBLEM_TYPE}; charset=utf-8`, body: writeJson(problem) };
}

function acceptsProblem(request: Request): boolean {
  const isNamed = request.headers.accept?.toLowerCase().includes(PROBLEM_TYPE);
  return isNamed === true && request.accepts(['application/json', PROBLEM_TYPE]) === PROBLEM_TYPE;
}
