import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { callerOf } from '../../http/caller.js';
import { operationOf } from '../../http/operation-of.js';
import { readTraceParent } from '../tracing/trace-context.js';

/** A response with the time of its request, in ms of `performance.now()`. */
type Timed = ServerResponse & { readonly begunAt?: number };

/** The log fields of a request that is being answered: of the client's own text only ids whose form was checked. */
export function requestLogFields(response: Timed, status = response.statusCode) {
  const request = response.req as Request;
  return {
    requestId: response.getHeader('X-Request-Id'),
    traceId: readTraceParent(request.headers.traceparent)?.traceId,
    /** Digits, because many who read JSON would round a number. */
    keyId: callerOf(request),
    operation: operationOf(request),
    method: request.method,
    status,
    /** In ms, with two decimals. */
    duration: Math.round((performance.now() - (response.begunAt ?? Number.NaN)) * 100) / 100,
    /** Of the body, as it is sent. */
    bytes: hasBody(request.method, status) ? Number(response.getHeader('Content-Length') ?? 0) : 0,
  };
}

/** RFC 9110 sections 9.3.2, 15.3.5 and 15.4.5. */
const hasBody = (method: string, status: number) => method !== 'HEAD' && status !== 204 && status !== 304;
