// Runs in each file. Files share a process, so a test that fails must leave nothing behind either.
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { logTo } from '../logger.js';

beforeAll(() => logTo(false));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
afterAll(() => logTo(false));
