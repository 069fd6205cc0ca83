import type { ServerResponse } from 'node:http';
import type { ErrorResponse } from './error-response.js';
import { errorBody } from './error-body.js';

/** Sends an error: the one writer for all that have a response object. */
export function writeError(
  response: ServerResponse,
  answer: ErrorResponse,
  asProblem: boolean,
  instance: string,
): void {
  const { contentType, body } = errorBody(answer, asProblem, instance);
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.setHeader('Cache-Control', 'no-store');
  response.end(body);
}
