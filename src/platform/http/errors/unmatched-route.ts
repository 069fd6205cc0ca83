import type { Request, Response } from 'express';
import { ApiException } from './api-exception.js';

/**
 * Answers a request that no route took: `OPTIONS` with 204 and `Allow` (RFC 9110 section 9.3.7), another method that the
 * path does not have with 405 and `Allow` (section 15.5.6), an unknown path with 404. `methods` are those that the path has.
 */
export function answerUnmatched(methods: readonly string[], request: Request, response: Response): void {
  const allow = methods.join(', ');
  if (allow === '')
    throw new ApiException('route_not_found', 'Nothing is at this address. GET / lists what is here.');
  if (request.method !== 'OPTIONS') {
    throw new ApiException(
      'method_not_allowed',
      `${request.path} has no ${request.method}. It has ${allow}.`,
      {
        headers: { Allow: allow },
      },
    );
  }
  response.statusCode = 204;
  response.setHeader('Allow', allow);
  if (response.hasHeader('Access-Control-Allow-Methods'))
    response.setHeader('Access-Control-Allow-Methods', allow);
  response.end();
}
