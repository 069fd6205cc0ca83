import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DatabaseClock, type JoiningDataSource } from '../../src/platform/database/index.js';
import { PinoLog } from '../../src/platform/observability/logging/pino-log.js';
import { ManualClock } from '../support/clocks.js';
import { SlowProxy } from '../support/databases/slow-proxy.js';
import { mariaDb, mySql, onEveryEngine, type TestDatabase } from '../support/engines.js';
import { logTo } from '../support/logger.js';
import { Recorder } from '../support/site/recorder.js';
import { openSource } from '../support/stores.js';

/** In ms. A slow reading is off by half of it, which no busy machine is in reality. */
const SLOW = 1_000_000;
const TOLERANCE = 200_000;

// SQLite answers in the process itself.
describe('the clock of the database', () =>
  onEveryEngine(
    (engine) => {
      let database: TestDatabase;
      let proxy: SlowProxy;
      let source: JoiningDataSource;
      let machine: ManualClock;
      let clock: DatabaseClock;
      /** How long the next answers take by the clock of the machine; 0 after the last one. */
      let durations: number[];
      beforeEach(async () => {
        durations = [];
        machine = new ManualClock();
        database = await engine.create();
        const { port, pathname } = new URL(database.url);
        proxy = await SlowProxy.before(Number(port), () => {
          machine.advance(durations.shift() ?? 0);
          return 0;
        });
        const url = `mysql://root:@127.0.0.1:${proxy.port}${pathname}`;
        source = await openSource(url, { migrations: [], schemas: [] });
        // Opens the connection, and waits until its session variables are set.
        for (let times = 0; times < 2; times++) await source.query('SELECT 1');
        clock = new DatabaseClock(source, machine);
      });
      afterEach(async () => {
        await source.destroy();
        await proxy.close();
        await database.drop();
      });

      const expectRight = () => expect(Math.abs(clock.now() - Date.now())).toBeLessThan(TOLERANCE);

      it.each([[[SLOW]], [[SLOW, SLOW]], [[0, SLOW, 0]]])(
        'is right if some readings are slow: %j',
        async (some) => {
          durations = some;
          await clock.read();
          expectRight();
          expect(durations).toEqual([]);
        },
      );

      it('is read three times if it is read fast, and five times at most', async () => {
        durations = Array.from({ length: 10 }, () => 1);
        await clock.read();
        expect(durations).toHaveLength(7);
        durations = Array.from({ length: 10 }, () => SLOW);
        await clock.read();
        expect(durations).toHaveLength(5);
      });

      it('goes on while all readings are slow', async () => {
        await clock.read();
        const all = [1, 2, 2, 2, 2].map((times) => times * SLOW);
        durations = [...all];
        await clock.read();
        // Only the clock of the machine has gone on by the readings.
        const passed = all.reduce((sum, one) => sum + one);
        expect(Math.abs(clock.now() - passed - Date.now())).toBeLessThan(TOLERANCE);
      });

      it('is corrected by slow readings that prove it wrong', async () => {
        await clock.read();
        machine.advance(100 * SLOW);
        durations = Array.from({ length: 5 }, () => SLOW);
        await clock.read();
        expect(clock.now() - Date.now()).toBeLessThan(6 * SLOW);
      });

      it('is taken from the fastest reading if the first ones are all slow, and the log says so', async () => {
        const log = new Recorder();
        logTo(new PinoLog('warn', log));
        onTestFinished(() => logTo(false));
        durations = [5, 4, 2, 3, 4].map((times) => times * SLOW);
        await clock.read();
        expect(log.text).toContain(
          `The database answers slowly, so its time is known only to ${SLOW} ms. It is read again.`,
        );
      });
    },
    [mariaDb, mySql],
  ));
