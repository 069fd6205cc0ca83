import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable } from '../../../../src/platform/database/database-errors.js';
import { DatabaseProbe } from '../../../../src/platform/health/database-probe.js';

let answer: { resolve: () => void; reject: (error: Error) => void }[];
let probe: DatabaseProbe;
beforeEach(() => {
  vi.useFakeTimers();
  answer = [];
  probe = new DatabaseProbe({
    query: <Rows>() =>
      new Promise<Rows>((resolve, reject) => answer.push({ resolve: () => resolve([] as Rows), reject })),
  });
});
afterEach(() => vi.useRealTimers());

describe('a database', () => {
  it('is there when it answers', async () => {
    const asked = probe.answers();
    answer[0]!.resolve();
    await expect(asked).resolves.toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is away when it says so', async () => {
    const asked = probe.answers();
    answer[0]!.reject(new DatabaseUnavailable());
    await expect(asked).rejects.toThrow(DatabaseUnavailable);
  });

  it('is away when it says nothing for a second, and is asked anew after that', async () => {
    const asked = expect(probe.answers()).rejects.toThrow(DatabaseUnavailable);
    await vi.advanceTimersByTimeAsync(1_000);
    await asked;
    const again = probe.answers();
    answer[1]!.resolve();
    await again;
    answer[0]!.reject(new Error('too late to matter'));
  });

  it('is asked once for all who want to know at the same time', async () => {
    const asked = [probe.answers(), probe.answers(), probe.answers()];
    answer[0]!.resolve();
    await Promise.all(asked);
    expect(answer).toHaveLength(1);
  });
});
