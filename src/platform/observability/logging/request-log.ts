import type { ServerResponse } from 'node:http';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { callerId } from '../../http/caller.js';
import { operationName } from '../../http/operation-name.js';
import type { LeanResponse } from '../../http/server/lean-response.js';
import { answered } from '../../http/http-channels.js';
import { readTraceParent } from '../tracing/trace-context.js';

const LEVELS_WITH_INFO: readonly Settings['logLevel'][] = ['info', 'debug', 'trace'];

/**
 * Logs a line for each answered request, or for a share of them. Failures (5xx) are not among them: whoever answers one logs
 * it at once, with its cause.
 */
@Injectable()
export class RequestLog implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('Request');

  constructor(private readonly settings: Settings) {}

  onApplicationBootstrap(): void {
    const { logLevel, logSample } = this.settings;
    if (logSample > 0 && LEVELS_WITH_INFO.includes(logLevel)) answered.subscribe(this.#write);
  }

  onApplicationShutdown(): void {
    answered.unsubscribe(this.#write);
  }

  /** From 0 to below 1. */
  protected random(): number {
    return Math.random();
  }

  readonly #write = (response: LeanResponse): void => {
    if (response.statusCode >= 500 || this.random() >= this.settings.logSample) return;
    const fields = requestLogFields(response);
    this.#log.log(`${fields.method} ${fields.operation} ${fields.status}`, fields);
  };
}

/** A response with the time of its request, in ms of `performance.now()`. */
type Timed = ServerResponse & { readonly begunAt?: number };

/** The log fields of a request that is being answered: of the client's own text only ids whose form was checked. */
export function requestLogFields(response: Timed, status = response.statusCode) {
  const request = response.req as Request;
  return {
    requestId: response.getHeader('X-Request-Id'),
    traceId: readTraceParent(request.headers.traceparent)?.traceId,
    /** Digits, because many JSON parsers would round a number. */
    keyId: callerId(request),
    operation: operationName(request),
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
