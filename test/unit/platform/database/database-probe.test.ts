import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../../../src/platform/config/settings.js';
import { Database, type Migrator } from '../../../support/rooms/database.js';
import {
  type DatabaseClock,
  DatabaseUnavailable,
  type JoiningDataSource,
} from '../../../../src/platform/database/index.js';

let answer: { resolve: () => void; reject: (error: Error) => void }[];
let database: Database;
beforeEach(() => {
  vi.useFakeTimers();
  answer = [];
  const lacking = () => new Promise((resolve, reject) => answer.push({ resolve: () => resolve([]), reject }));
  database = new Database(
    {} as JoiningDataSource,
    { lacking } as unknown as Migrator,
    readSettings({}),
    {} as DatabaseClock,
  );
});
afterEach(() => vi.useRealTimers());

describe('a database', () => {
  it('counts as unavailable when it does not respond for a second, and is probed again after that', async () => {
    const asked = expect(database.probe()).rejects.toThrow(DatabaseUnavailable);
    await vi.advanceTimersByTimeAsync(1_000);
    await asked;
    const again = database.probe();
    answer[1]!.resolve();
    await again;
    answer[0]!.reject(new Error('too late to matter'));
  });

  it('is probed once for all concurrent callers', async () => {
    const asked = [database.probe(), database.probe(), database.probe()];
    answer[0]!.resolve();
    expect(await Promise.all(asked)).toEqual([[], [], []]);
    expect([answer.length, vi.getTimerCount()]).toEqual([1, 0]);
  });
});
