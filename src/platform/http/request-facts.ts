import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { AnsweredRequest } from '../observability/requests.js';
import { traceIdOf } from '../observability/trace-context.js';
import { callerId } from './caller.js';
import { routeOf } from './routes.js';
import { isWithoutContent } from './server/send-json.js';

/** A response with the time of its request, in ms of `performance.now()`. */
type Timed = ServerResponse & { readonly begunAt?: number };

/** What the log and the metrics tell of a request that is answered with this status. */
export function requestFacts(response: Timed, status = response.statusCode): AnsweredRequest {
  const request = response.req as Request;
  const hasContent = request.method !== 'HEAD' && !isWithoutContent(status);
  return {
    requestId: response.getHeader('X-Request-Id') as string | undefined,
    traceId: traceIdOf(request),
    keyId: callerId(request),
    client: request.ip,
    operation: routeOf(request)?.operation ?? 'none',
    method: request.method,
    status,
    duration: Math.round((performance.now() - (response.begunAt ?? Number.NaN)) * 100) / 100,
    bytes: hasContent ? Number(response.getHeader('Content-Length') ?? 0) : 0,
  };
}
