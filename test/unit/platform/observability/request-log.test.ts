import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Logger, type LoggerService } from '@nestjs/common';
import type { Request } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogLevel, Settings } from '../../../../src/platform/config/settings.js';
import { setCaller } from '../../../../src/platform/http/caller.js';
import { RequestLog } from '../../../../src/platform/observability/logging/request-log.js';
import { requestFacts } from '../../../../src/platform/http/request-facts.js';
import { ApiResponse } from '../../../../src/platform/http/server/express-messages.js';
import { answered } from '../../../../src/platform/observability/requests.js';

let lines: { message: string; facts: Record<string, unknown> }[];
let log: RequestLog;

beforeEach(() => {
  lines = [];
  const note = (message: string, facts: Record<string, unknown>) => void lines.push({ message, facts });
  const nothing = () => undefined;
  Logger.overrideLogger({ log: note, warn: nothing, error: nothing } satisfies LoggerService);
});
afterEach(() => log.onApplicationShutdown());

function listen(logLevel: LogLevel): void {
  log = new RequestLog({ logLevel } as Settings);
  log.onApplicationBootstrap();
}

/** Responds to a request without a matched route. */
function answer(status: number, headers: Record<string, string> = {}, method = 'GET', keyId?: bigint): void {
  const request = new IncomingMessage(new Socket());
  request.method = method;
  const response = new ApiResponse(request);
  if (keyId !== undefined) setCaller(request as Request, String(keyId), { mayDo: () => true });
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (answered.hasSubscribers) answered.publish(requestFacts(response));
}

describe('the log of requests', () => {
  it('has a line for each that is answered, also for refusals', () => {
    listen('info');
    answer(200, { 'X-Request-Id': 'one', 'Content-Length': '42' }, 'GET', 9_223_372_036_854_775_807n);
    answer(404);
    expect(lines.map(({ message }) => message)).toEqual(['GET none 200', 'GET none 404']);
    expect(lines[0]!.facts).toEqual({
      requestId: 'one',
      traceId: undefined,
      keyId: '9223372036854775807',
      client: undefined,
      operation: 'none',
      method: 'GET',
      status: 200,
      duration: expect.any(Number) as number,
      bytes: 42,
    });
  });

  it.each([
    [200, 'HEAD'],
    [304, 'GET'],
    [204, 'OPTIONS'],
  ])('counts no bytes where none are sent: %i to %s', (status, method) => {
    listen('info');
    answer(status, { 'Content-Length': '42' }, method);
    expect(lines[0]!.facts).toMatchObject({ bytes: 0 });
  });

  it('leaves failures to those who know their cause', () => {
    listen('info');
    answer(500);
    answer(503);
    expect(lines).toEqual([]);
  });

  it.each(['info', 'debug', 'trace'] as const)('is there at the level %s', (level) => {
    listen(level);
    expect(answered.hasSubscribers).toBe(true);
  });

  it.each(['silent', 'fatal', 'error', 'warn'] as const)('does not even listen at the level %s', (level) => {
    listen(level);
    expect(answered.hasSubscribers).toBe(false);
  });
});
