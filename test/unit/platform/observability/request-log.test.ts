import { Logger, type LoggerService } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogLevel, Settings } from '../../../../src/platform/config/settings.js';
import { RequestLog } from '../../../../src/platform/observability/logging/request-log.js';
import { answered } from '../../../../src/platform/observability/requests.js';

let lines: Record<string, unknown>[];
let log: RequestLog;

beforeEach(() => {
  lines = [];
  const note = (_: string, facts: Record<string, unknown>) => void lines.push(facts);
  const nothing = () => undefined;
  Logger.overrideLogger({ log: note, warn: nothing, error: nothing } satisfies LoggerService);
});
afterEach(() => log.onApplicationShutdown());

function listen(logLevel: LogLevel): void {
  log = new RequestLog({ logLevel } as Settings);
  log.onApplicationBootstrap();
}

// The content of a line is tested in test/e2e/observability/request-log.test.ts.
describe('the log of requests', () => {
  it.each([
    ...(['info', 'debug', 'trace'] as const).map((level) => [level, true] as const),
    ...(['silent', 'fatal', 'error', 'warn'] as const).map((level) => [level, false] as const),
  ])('records requests at the level %s: %s', (level, listens) => {
    listen(level);
    expect(answered.hasSubscribers).toBe(listens);
  });
});
