import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { createDataSource, dataSourceOptions } from '../support/rooms/database.js';
import type { JoiningDataSource } from '../../src/platform/database/index.js';
import { onEveryEngine } from '../support/engines.js';

describe('a query runner that is not released', () =>
  onEveryEngine((engine) => {
    let source: JoiningDataSource;
    let drop: () => Promise<void>;
    let log: string[];
    beforeEach(async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
      log = [];
      const note = (message: string) => void log.push(message);
      Logger.overrideLogger({ log: note, warn: note, error: note });
      const database = await engine.create();
      drop = () => database.drop();
      source = createDataSource(dataSourceOptions(parseDatabaseUrl(database.url), 5, []));
      await source.initialize();
      source.open();
    });
    afterEach(async () => {
      vi.useRealTimers();
      Logger.overrideLogger(false);
      await source.destroy();
      await drop();
    });

    it('is logged once, with the place where it was created, and counted until it is released', async () => {
      const runner = source.createQueryRunner();
      await runner.startTransaction();
      vi.advanceTimersByTime(60_000);
      expect([log, source.unreleased.count]).toEqual([[], 0]);
      vi.advanceTimersByTime(60_000);
      expect(source.unreleased.count).toBe(1);
      expect(log).toEqual([
        expect.stringMatching(
          / held a connection for 60 s: release it .* created at .*unreleased-runners\.test\.ts:/,
        ),
      ]);
      await runner.release();
      expect(source.unreleased.count).toBe(0);
    });

    it('is not logged while it holds no connection, is released, or belongs to a unit of work', async () => {
      const unused = source.createQueryRunner();
      const released = source.createQueryRunner();
      await released.query('SELECT 1');
      await released.release();
      await source.transaction(async () => {
        await source.createQueryRunner().query('SELECT 1');
        vi.advanceTimersByTime(200_000);
      });
      expect([log, source.unreleased.count]).toEqual([[], 0]);
      await unused.release();
    });
  }));
