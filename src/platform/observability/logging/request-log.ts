import type { ServerResponse } from 'node:http';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Request } from 'express';
import { type LogLevel, Settings } from '../../config/settings.js';
import { callerId } from '../../http/caller.js';
import { operationName } from '../../http/operations.js';
import type { LeanResponse } from '../../http/server/lean-response.js';
import { answered } from '../../http/http-channels.js';
import { logLevelChanged } from './log-level.js';
import { readTraceParent } from '../tracing/trace-context.js';

const LEVELS_WITH_DEBUG: readonly LogLevel[] = ['debug', 'trace'];
const LEVELS_WITH_INFO: readonly LogLevel[] = ['info', ...LEVELS_WITH_DEBUG];

/** The probes that load balancers send every few seconds. */
const PROBES: ReadonlySet<string> = new Set(['livez', 'readyz']);

/**
 * Logs a line for each request, or for a share of them; for probes at `debug`. Failures (5xx) are logged with their cause where
 * they are answered.
 */
@Injectable()
export class RequestLog implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('Request');
  #logsProbes = false;

  constructor(private readonly settings: Settings) {}

  onApplicationBootstrap(): void {
    this.#listen(this.settings.logLevel);
    logLevelChanged.subscribe(this.#listen);
  }

  onApplicationShutdown(): void {
    logLevelChanged.unsubscribe(this.#listen);
    answered.unsubscribe(this.#write);
  }

  /** If nothing would be logged, requests pay nothing. */
  readonly #listen = (level: LogLevel): void => {
    answered.unsubscribe(this.#write);
    this.#logsProbes = LEVELS_WITH_DEBUG.includes(level);
    if (this.settings.logSample > 0 && LEVELS_WITH_INFO.includes(level)) answered.subscribe(this.#write);
  };

  /** From 0 to below 1. */
  protected random(): number {
    return Math.random();
  }

  readonly #write = (response: LeanResponse): void => {
    if (response.statusCode >= 500 || this.random() >= this.settings.logSample) return;
    const isProbe = PROBES.has(operationName(response.req as Request));
    if (isProbe && !this.#logsProbes) return;
    const fields = requestLogFields(response);
    this.#log[isProbe ? 'debug' : 'log'](`${fields.method} ${fields.operation} ${fields.status}`, fields);
  };
}

/** A response with the time of its request, in ms of `performance.now()`. */
type Timed = ServerResponse & { readonly begunAt?: number };

/** The log fields of an answered request. Of the client's own text they contain only validated ids. */
export function requestLogFields(response: Timed, status = response.statusCode) {
  const request = response.req as Request;
  return {
    requestId: response.getHeader('X-Request-Id'),
    traceId: readTraceParent(request.headers.traceparent)?.traceId,
    /** A string, because many JSON parsers would round the number. */
    keyId: callerId(request),
    operation: operationName(request),
    method: request.method,
    status,
    /** In ms, with two decimals. */
    duration: Math.round((performance.now() - (response.begunAt ?? Number.NaN)) * 100) / 100,
    /** Of the body as it was sent. */
    bytes: hasBody(request.method, status) ? Number(response.getHeader('Content-Length') ?? 0) : 0,
  };
}

/** RFC 9110 sections 9.3.2, 15.3.5 and 15.4.5. */
const hasBody = (method: string, status: number) => method !== 'HEAD' && status !== 204 && status !== 304;
