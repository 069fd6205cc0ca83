import { setImmediate as turn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { dataSourceOptions, LeaseLost, LeaseRows, LeaseSchema } from '../support/rooms/database.js';
import {
  DatabaseUnavailable,
  JoiningDataSource,
  Leases,
  minuteOf,
} from '../../src/platform/database/index.js';
import { onMySqlToo, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { logTo } from '../support/logger.js';

/** In ms: LONG is longer than any test, and SHORT is for leases that must lapse in a test. */
const LONG = 60_000;
const SHORT = 500;
const HOUR = 3_600_000;
const SIX = Date.UTC(2026, 10, 25, 6);

/** What a process of the service has. */
interface Replica {
  readonly source: JoiningDataSource;
  readonly leases: Leases;
}

/** Work that continues until the test releases it or its signal is aborted. */
function held() {
  let begin = (_signal: AbortSignal) => {};
  let release = () => {};
  const begun = new Promise<AbortSignal>((resolve) => (begin = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const work = async (signal: AbortSignal) => {
    begin(signal);
    const aborted = new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
    await Promise.race([released, aborted]);
    return 'done';
  };
  return { work, begun, release };
}

it('a timer that fires early or late has the same minute', () => {
  for (const deviation of [-900, 0, 1, 29_999]) expect(minuteOf(SIX + deviation)).toBe(SIX);
});

it('the error for a lost lease gives the reason', () => {
  expect(new LeaseLost('shop').message).toBe(
    'The lease "shop" is lost: it was not renewed in time, so another process may hold it.',
  );
});

describe('a lease', () =>
  onMySqlToo((engine) => {
    let database: TestDatabase;
    const replicas: Replica[] = [];
    beforeEach(async () => {
      logTo(false);
      database = await engine.create();
    });
    afterEach(async () => {
      vi.restoreAllMocks();
      vi.useRealTimers();
      await Promise.all(replicas.map(({ leases }) => leases.beforeApplicationShutdown()));
      for (const { source } of replicas.splice(0)) if (source.isInitialized) await source.destroy();
      await database.drop();
    });

    const unopened = (): Replica => {
      const options = dataSourceOptions(parseDatabaseUrl(database.url), 3, []);
      const source = new JoiningDataSource({ ...options, entities: [LeaseSchema] });
      const replica = { source, leases: new Leases(source, new LeaseRows(source)) };
      replicas.push(replica);
      return replica;
    };
    const opened = async () => {
      const replica = unopened();
      await replica.source.initialize();
      replica.source.open();
      return replica;
    };
    const several = (count: number) => Promise.all(Array.from({ length: count }, opened));
    /** The requests of a process for leases: each asks for the row of the lease. */
    const requestsOf = ({ source }: Replica) => vi.spyOn(source.getRepository(LeaseSchema), 'findOneBy');
    const warnings = () => vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const row = async () => {
      const [found] = await database.query('SELECT * FROM leases');
      return { ...found, heldUntil: Number(found!['held_until']) } as Record<string, unknown> & {
        heldUntil: number;
      };
    };
    /** Runs `happens` around each writing statement of this process. */
    const around = (
      { source }: Replica,
      happens: (statement: () => Promise<unknown>) => Promise<unknown>,
    ) => {
      const repeat = source.repeat.bind(source);
      source.repeat = <Result>(work: (manager: EntityManager) => Promise<Result>) =>
        repeat((manager) => happens(() => work(manager)) as Promise<Result>);
    };

    it('has one holder at a time, although many callers want it and create its table together', async () => {
      const rivals = await several(5);
      const requests = rivals.map((rival) => requestsOf(rival));
      const all = () => requests.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      let [holders, most, left] = [0, 0, rivals.length];
      const work = async () => {
        most = Math.max(most, ++holders);
        const before = all();
        // Every holder but the last has a rival that asks meanwhile.
        if (--left > 0) await eventually(async () => all() > before);
        holders--;
        return 'done';
      };
      const results = await Promise.all(rivals.map(({ leases }) => leases.run('shop', LONG, work)));
      expect([results, most]).toEqual([Array<string>(5).fill('done'), 1]);
    });

    it('runs the work for a time once, whatever the clocks of the replicas show', async () => {
      const ran: number[] = [];
      const [one, two, three] = (await several(3)) as [Replica, Replica, Replica];
      const at = ({ leases }: Replica, once: number) =>
        leases.run('shop', 5_000, async () => void ran.push(once), { once });
      await Promise.all([at(one, SIX), at(two, SIX), at(three, SIX)]);
      expect(ran).toEqual([SIX]);
      // The clock of the first replica is fast by two hours.
      await at(one, SIX + 3 * HOUR);
      for (const hours of [1, 2, 3]) await at(two, SIX + hours * HOUR);
      expect(ran).toEqual([SIX, SIX + 3 * HOUR]);
      await at(two, SIX + 4 * HOUR);
      expect(ran.length).toBe(3);
    });

    it('does not count a time that is in the future by the clock of the database', async () => {
      const [ahead, right] = (await several(2)) as [Replica, Replica];
      const later = Date.now() + HOUR;
      expect(await ahead.leases.run('shop', LONG, async () => 'ran', { once: later })).toBe('ran');
      const once = minuteOf(Date.now());
      expect(await right.leases.run('shop', LONG, async () => 'ran', { once })).toBe('ran');
      expect(await right.leases.run('shop', LONG, async () => 'again', { once })).toBeUndefined();
    });

    it('stores the result of the latest run; a failed time is not run again, and the failure is logged', async () => {
      const { leases } = await opened();
      const from = Date.now();
      const warned = warnings();
      const fail = () => Promise.reject(new Error('no broom'));
      expect(await leases.run('shop', LONG, fail, { once: SIX })).toBeUndefined();
      expect(warned.mock.calls).toEqual([['"shop" failed: no broom']]);
      expect(warned.mock.contexts).toMatchObject([{ context: 'Leases' }]);
      const [first] = await leases.states();
      expect(first).toMatchObject({ name: 'shop', last: SIX, problem: 'no broom' });
      // The clock of the database is the clock of this machine.
      expect(first!.begunAt).toBeGreaterThan(from - 5_000);
      expect(first!.endedAt).toBeGreaterThanOrEqual(first!.begunAt!);
      expect(first!.endedAt).toBeLessThan(Date.now() + 5_000);
      expect(await leases.run('shop', LONG, async () => 'ran', { once: SIX })).toBeUndefined();
      await expect(leases.run('shop', LONG, fail)).rejects.toThrow('no broom');
      expect(await leases.states()).toMatchObject([{ name: 'shop', last: SIX, problem: 'no broom' }]);
      expect(await leases.run('shop', LONG, async () => 'ran', { once: SIX + HOUR })).toBe('ran');
      const [state] = await leases.states();
      expect([state!.last, state!.problem, state!.holder]).toEqual([SIX + HOUR, undefined, undefined]);
    });

    it('stays with a holder that renews it, however long the work takes', async () => {
      const [one, two] = (await several(2)) as [Replica, Replica];
      const first = held();
      const running = one.leases.run('shop', 3_000, first.work);
      await first.begun;
      let isTaken = false;
      const waiting = two.leases.run('shop', 3_000, async () => (isTaken = true));
      const { heldUntil } = await row();
      await eventually(async () => (await row()).heldUntil > heldUntil + 3_000);
      expect(isTaken).toBe(false);
      first.release();
      expect([await running, await waiting]).toEqual(['done', true]);
    });

    it('passes to a waiting process when its holder is dead, but not before it has lapsed', async () => {
      const replica = await opened();
      const { leases } = replica;
      await leases.run('shop', LONG, async () => {});
      const lapsesAt = Date.now() + SHORT;
      await database.execute(`UPDATE leases SET holder = 'dead', held_until = ${lapsesAt}`);
      const requests = requestsOf(replica);
      let ranAt = 0;
      // Each call replaces the one before, as with a timer that fires more often than the lease lapses.
      while (ranAt === 0) {
        const before = requests.mock.calls.length;
        void leases.run('shop', LONG, async () => void (ranAt = Date.now()), { once: SIX });
        await eventually(async () => ranAt > 0 || requests.mock.calls.length > before);
      }
      expect(ranAt).toBeGreaterThanOrEqual(lapsesAt);
    });

    it('is lost by a holder that finds another holder in its row', async () => {
      const { leases } = await opened();
      const { work, begun } = held();
      const running = leases.run('shop', SHORT, work);
      const signal = await begun;
      await database.execute("UPDATE leases SET holder = 'another'");
      await expect(running).rejects.toThrow(LeaseLost);
      expect(signal.reason).toBeInstanceOf(LeaseLost);
      expect(await row()).toMatchObject({ holder: 'another', ended_at: null });
    });

    it('is lost by a holder without a database before another process takes it and runs the same time', async () => {
      const [one, two] = (await several(2)) as [Replica, Replica];
      const { work, begun } = held();
      const running = one.leases.run('shop', SHORT, work, { once: SIX });
      const told = vi.spyOn(Logger.prototype, 'debug');
      const signal = await begun;
      await one.source.destroy();
      const reason = await two.leases.run('shop', LONG, async () => signal.reason as Error, { once: SIX });
      expect(reason).toBeInstanceOf(LeaseLost);
      expect(told).toHaveBeenCalled();
      expect(await running).toBeUndefined();
      expect(Number((await row())['last'])).toBe(SIX);
    });

    it('is held by a process that took it although the response of the database was lost', async () => {
      const replica = await opened();
      const { leases } = replica;
      await leases.run('shop', LONG, async () => {});
      let lost = 0;
      // The responses to the first two writes, which take and release the lease, are lost.
      around(replica, async (statement) => {
        const result = await statement();
        if (lost++ % 2 === 0 && lost < 5) throw new DatabaseUnavailable(new Error('ECONNRESET'), 'lost');
        return result;
      });
      let runs = 0;
      expect(await leases.run('shop', LONG, async () => ++runs)).toBe(1);
      expect([lost, runs, (await row())['holder']]).toEqual([4, 1, null]);
    });

    it('is left to the newest of the waiting calls of a process', async () => {
      const [one, two] = (await several(2)) as [Replica, Replica];
      const { work, begun, release } = held();
      const running = one.leases.run('shop', LONG, work);
      await begun;
      const call = (result: number) => two.leases.run('shop', LONG, async () => result);
      const [first, second] = [call(1), call(2)];
      expect(await first).toBeUndefined();
      const third = call(3);
      expect(await second).toBeUndefined();
      release();
      expect([await running, await third]).toEqual(['done', 3]);
    });

    it('is given back without work by a call that was replaced while it took the lease', async () => {
      const { leases } = await opened();
      await leases.run('shop', LONG, async () => {});
      const first = leases.run('shop', LONG, () => expect.unreachable());
      const second = leases.run('shop', LONG, async () => 'ran');
      expect([await first, await second]).toEqual([undefined, 'ran']);
    });

    it('is not lost when its work ends during a renewal, and is not renewed after that', async () => {
      const replica = await opened();
      await replica.leases.run('shop', LONG, async () => {});
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      const warned = warnings();
      const { work, begun, release } = held();
      const running = replica.leases.run('shop', LONG, work);
      const signal = await begun;
      let goOn = () => {};
      const waited = new Promise<void>((resolve) => (goOn = resolve));
      let renewal: Promise<unknown> | undefined;
      around(replica, (statement) => (renewal ? statement() : (renewal = waited.then(statement))));
      vi.advanceTimersByTime(LONG / 3);
      expect(renewal).toBeDefined();
      release();
      expect(await running).toBe('done');
      goOn();
      await renewal;
      await turn();
      expect([signal.aborted, warned.mock.calls, vi.getTimerCount()]).toEqual([false, [], 0]);
    });

    it('is not taken from the call that holds it by another call of the same process', async () => {
      const { leases } = await opened();
      const { work, begun, release } = held();
      const running = leases.run('shop', LONG, work);
      const signal = await begun;
      const next = leases.run('shop', LONG, async () => 'next');
      expect(signal.aborted).toBe(false);
      release();
      expect([await running, await next]).toEqual(['done', 'next']);
    });

    it('does not affect leases of other names, and a call that waits without a time logs that it waits', async () => {
      const [one, two, three] = (await several(3)) as [Replica, Replica, Replica];
      const warned = warnings();
      const { work, begun, release } = held();
      const running = one.leases.run('yard', LONG, work);
      await begun;
      const waiting = two.leases.run('yard', LONG, async () => 'swept');
      expect(await two.leases.run('attic', LONG, async () => 'dusted')).toBe('dusted');
      const asked = requestsOf(two);
      await eventually(async () => asked.mock.calls.length > 3);
      const told = ['Waiting for another process, which holds the lease "yard".'];
      expect(warned.mock.calls).toEqual([told]);
      const later = three.leases.run('yard', LONG, async () => 'swept again', { once: SIX });
      const askedLater = requestsOf(three);
      await eventually(async () => askedLater.mock.calls.length > 3);
      release();
      expect([await running, await waiting, await later]).toEqual(['done', 'swept', 'swept again']);
      expect(warned.mock.calls).toEqual([told]);
      expect((await one.leases.states()).map(({ name }) => name)).toEqual(['attic', 'yard']);
    });

    it('keeps the beginning of a long problem, whatever was thrown', async () => {
      const { leases } = await opened();
      const fail = () => Promise.reject('x'.repeat(501));
      await expect(leases.run('shop', LONG, fail)).rejects.toBe('x'.repeat(501));
      expect((await leases.states())[0]!.problem).toBe('x'.repeat(500));
    });

    it.each(['conflict', 'rolled_back', 'lost'] as const)(
      'is requested again when a rival may have caused the failure: %s',
      async (errorClass) => {
        const replica = await opened();
        await replica.leases.run('shop', LONG, async () => 'ran');
        const failures = [new DatabaseUnavailable(new Error(), errorClass)];
        around(replica, (statement) => (failures.length > 0 ? Promise.reject(failures.pop()!) : statement()));
        expect(await replica.leases.run('shop', LONG, async () => 'again')).toBe('again');
      },
    );

    it('is requested again when a rival has just created it', async () => {
      const { leases, source } = await opened();
      await leases.run('yard', LONG, async () => 'ran');
      const rows = source.getRepository(LeaseSchema);
      vi.spyOn(rows, 'findOneBy').mockImplementationOnce(async () => {
        await rows.insert({ name: 'shop', heldUntil: 0 });
        return null;
      });
      expect(await leases.run('shop', LONG, async () => 'again')).toBe('again');
    });

    it.each(['findOneBy', 'insert'] as const)(
      'ends with a fault of its own, also when it runs for a time: %s',
      async (method) => {
        const { leases, source } = await opened();
        await leases.run('yard', LONG, async () => 'ran');
        const rows = source.getRepository(LeaseSchema);
        vi.spyOn(rows, method).mockRejectedValueOnce(new Error('a bug'));
        const run = leases.run('shop', LONG, async () => 'ran', { once: SIX });
        await expect(run).rejects.toThrow('a bug');
      },
    );

    it('is not lost by a process that could not take it', async () => {
      const replica = await opened();
      await replica.leases.run('shop', LONG, async () => {});
      around(replica, () => Promise.reject(new Error('a bug')));
      vi.useFakeTimers({ toFake: ['setInterval'] });
      await expect(replica.leases.run('shop', LONG, async () => 'ran')).rejects.toThrow('a bug');
      // Only a timer renews a lease, and notices that it is lost.
      expect(vi.getTimerCount()).toBe(0);
    });

    it('is given up by a process that stops, and a time that the process does not complete can run again', async () => {
      const [one, two] = (await several(2)) as [Replica, Replica];
      const { work, begun } = held();
      const running = one.leases.run('shop', LONG, work, { once: SIX });
      await begun;
      const waiting = one.leases.run('shop', LONG, async () => 'ran', { once: SIX + HOUR });
      const warned = warnings();
      await one.leases.beforeApplicationShutdown();
      expect(((await begun).reason as Error).message).toBe('The service stops.');
      expect(warned).not.toHaveBeenCalled();
      expect(await Promise.all([running, waiting])).toEqual([undefined, undefined]);
      expect(await one.leases.run('shop', LONG, async () => 'ran')).toBeUndefined();
      expect(await row()).toMatchObject({ holder: null, last: null, problem: null });
      expect(await two.leases.run('shop', LONG, async () => 'ran', { once: SIX })).toBe('ran');
    });

    it('waits for the database if it is requested for a time, and fails at once otherwise', async () => {
      const { leases, source } = unopened();
      await expect(leases.run('shop', LONG, async () => 'ran')).rejects.toThrow(DatabaseUnavailable);
      const waiting = leases.run('shop', LONG, async () => 'ran', { once: SIX });
      await source.initialize();
      source.open();
      expect(await waiting).toBe('ran');
    });

    it('cannot be taken inside a unit of work, which would end too late', async () => {
      const { leases, source } = await opened();
      const inside = source.run(() => leases.run('shop', LONG, async () => {}));
      await expect(inside).rejects.toThrow('Call "leases.run" outside of units of work.');
    });
  }));
