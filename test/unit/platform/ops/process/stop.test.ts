import {
  type BeforeApplicationShutdown,
  type INestApplication,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Readiness } from '../../../../../src/platform/ops/health/readiness.js';
import { ManualClock } from '../../../../support/clocks.js';
import { stop } from '../../../../../src/platform/ops/process/stop.js';

let readiness: Readiness;
beforeEach(() => {
  vi.useFakeTimers();
  readiness = new Readiness(new ManualClock());
});

/** An application with this `close`. */
const closing = (close: () => Promise<void>) =>
  ({ get: () => readiness, close }) as unknown as INestApplication;

describe('a service that receives a signal', () => {
  it('is not ready from that moment on, and its modules receive the signal', async () => {
    const told: unknown[] = [];
    const hear = (signal?: string) => void told.push([signal, readiness.isReady, readiness.isStopping]);
    class Hooks implements BeforeApplicationShutdown, OnApplicationShutdown {
      beforeApplicationShutdown = hear;
      onApplicationShutdown = hear;
    }
    const providers = [Hooks, { provide: Readiness, useValue: readiness }];
    const module = await Test.createTestingModule({ providers }).compile();
    const app = await module.createNestApplication().init();
    readiness.markReady();
    await stop(app, { drainDelay: 0 }, 'SIGTERM');
    expect(told).toEqual(Array(2).fill(['SIGTERM', false, true]));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('during its start never becomes ready', () => {
    readiness.markStopping();
    readiness.markReady();
    expect(readiness.isReady).toBe(false);
  });

  it('does not wait longer than the documented time for connections that do not close', async () => {
    let hasStopped = false;
    void stop(
      closing(() => new Promise(() => {})),
      { drainDelay: 3_000 },
    ).then(() => (hasStopped = true));
    await vi.advanceTimersByTimeAsync(7_799);
    expect(hasStopped).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(hasStopped).toBe(true);
  });

  it('fails with the error of closing', async () => {
    const app = closing(() => Promise.reject(new Error('The file is gone.')));
    await expect(stop(app, { drainDelay: 0 })).rejects.toThrow('The file is gone.');
  });
});
