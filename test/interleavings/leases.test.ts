import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { beforeAll, expect, vi } from 'vitest';
import type { JoiningDataSource } from '../../src/platform/database/data-source.js';
import { DatabaseUnavailable, DuplicateKey } from '../../src/platform/database/errors.js';
import type { LeaseState } from '../../src/platform/database/lease.js';
import * as module from '../../src/platform/database/leases.js';
import { ManualClock } from '../support/clocks.js';
import { inAnyOrder, type Order } from './orders.js';

beforeAll(() => {
  Logger.overrideLogger(false);
  // Vitest keeps the timers that it finds at the first use: they must be the real ones, not those of a story.
  vi.useFakeTimers();
  vi.useRealTimers();
});

const TTL_MS = 3_000;
const TIME = 1;
const MANY = 1_000;

/** How a statement ends; all others end well. */
const statement = fc.constantFrom('done', 'done', 'done', 'lost', 'lost but done');

/** Processes that want the same lease, some for the same time. One may die. Statements fail, and time passes between any two events. */
const plan = fc.record({
  steps: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 3 }),
  /** In ms: how much time passes at once. */
  leaps: fc.array(fc.integer({ min: 50, max: 2_000 }), { minLength: 1, maxLength: 8 }),
  once: fc.boolean(),
  dies: fc.boolean(),
  statements: fc.array(statement, { maxLength: 20 }),
});

/** The table of leases, as far as they use it, with its one row. */
class Table {
  row: LeaseState | undefined;
  /** How often it was taken after its time was done. */
  takenWhenDone = 0;

  constructor(
    private readonly order: Order,
    private readonly statements: ReturnType<typeof statement.generate>['value'][],
  ) {}

  /** What a process sees. */
  sourceFor(process: { isDead: boolean }): JoiningDataSource {
    const execute = async <Result>(name: string, statement: () => Result): Promise<Result> => {
      await this.order.event(`${name} is executed`);
      if (process.isDead) return new Promise(() => undefined);
      const end = this.statements.shift() ?? 'done';
      const result = end === 'lost' ? undefined : statement();
      await this.order.event(`${name} is answered`);
      if (process.isDead) return new Promise(() => undefined);
      if (end !== 'done') throw new DatabaseUnavailable(new Error(end), 'lost');
      return result as Result;
    };
    const rows = {
      findOneBy: () => execute('a read', () => this.row && { ...this.row }),
      insert: (row: LeaseState) => execute('an insert', () => this.#insert(row)),
      update: (where: Partial<LeaseState>, values: object) =>
        execute('an update', () => this.#update(where, values)),
    };
    const source = {
      insideTransaction: false,
      options: { type: 'better-sqlite3' },
      getRepository: () => rows,
    };
    return source as unknown as JoiningDataSource;
  }

  #insert(row: LeaseState): void {
    if (this.row) throw new DuplicateKey();
    this.row = row;
  }

  #update(where: Partial<LeaseState>, values: object): { affected: number } {
    const row = this.row!;
    const isMeant = Object.entries(where).every(([name, value]) => row[name as keyof LeaseState] === value);
    if (!isMeant) return { affected: 0 };
    if (typeof (values as LeaseState).holder === 'string' && row.last === TIME) this.takenWhenDone += 1;
    const entries = Object.entries(values).map(([name, value]) =>
      typeof value === 'function' ? [name, row.beat + 1] : [name, value],
    );
    this.row = { ...row, ...Object.fromEntries(entries) } as LeaseState;
    return { affected: 1 };
  }
}

inAnyOrder('a lease has one holder at a time, and work for a time is not done again', {
  file: 'src/platform/database/leases.ts',
  module,
  plan,
  async story({ Leases }, { steps, leaps, once, dies, statements }, order) {
    const letTimeGo = stopTime();
    try {
      const table = new Table(order, [...statements]);
      const working = new Map<number, AbortSignal>();
      const ended = new Set<number>();
      const wrong = new Set<string>();
      const processes = steps.map(() => ({ isDead: false }));
      const look = () => {
        const holders = [...working].filter(([one, signal]) => !signal.aborted && !processes[one]!.isDead);
        if (holders.length > 1) wrong.add(`${holders.map(([one]) => one).join(' and ')} hold it`);
      };
      steps.forEach((count, number) => {
        const process = processes[number]!;
        const all = new Leases(table.sourceFor(process), new ManualClock());
        const work = async (signal: AbortSignal) => {
          working.set(number, signal);
          look();
          for (let step = 0; step < count; step++) {
            await order.event(`${number} works`);
            if (process.isDead) return new Promise(() => undefined);
            look();
            if (!signal.aborted) continue;
            working.delete(number);
            throw signal.reason;
          }
          working.delete(number);
        };
        void order
          .event(`${number} wants it`)
          .then(() => all.run('job', TTL_MS, work, once ? { once: TIME } : {}))
          .catch(() => undefined)
          .then(() => ended.add(number));
      });
      if (dies) void order.event('0 dies').then(() => (processes[0]!.isDead = true));
      const letTimePass = async () => {
        const isOver = () => processes.every(({ isDead }, number) => isDead || ended.has(number));
        for (let i = 0; !isOver() && i < MANY; i++) {
          await order.event('time passes');
          vi.advanceTimersByTime(leaps[i % leaps.length]!);
        }
        if (!isOver()) wrong.add('somebody waits forever');
      };
      void letTimePass();
      await order.play();
      expect([...wrong]).toEqual([]);
      expect(table.takenWhenDone).toBe(0);
    } finally {
      letTimeGo();
    }
  },
  faults: {
    'took over too early': ['now - seen.since >= ttl', 'now - seen.since >= ttl / 2'],
    'did the work of a time again': ['(row.last ?? -Infinity) >= once', 'false'],
    'held it for as long as nobody tells it otherwise': [
      'this.#expiry = setTimeout(() => this.#lose(), askedAt + this.ttl - performance.now())',
      '',
      'src/platform/database/lease.ts',
    ],
    'counted its time from when it learns that it holds it': [
      `      this.#expireAfter(performance.now());
      isTaken = (await this.rows().update({ name, beat }, values)).affected === 1;`,
      `      isTaken = (await this.rows().update({ name, beat }, values)).affected === 1;
      this.#expireAfter(performance.now());`,
      'src/platform/database/lease.ts',
    ],
    'took what has changed meanwhile': [
      'update({ name, beat }, values)',
      'update({ name }, values)',
      'src/platform/database/lease.ts',
    ],
    'waited for one who is dead': ['lease.isFree(row) || isAbandoned', 'lease.isFree(row)'],
  },
});

const timers = createRequire(import.meta.url)('node:timers/promises') as {
  setTimeout: (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<void>;
};

/** Time passes only when the story lets it. Vitest leaves the timers of promises as they are. */
function stopTime(): () => void {
  const real = timers.setTimeout;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  timers.setTimeout = (ms, _, { signal }) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal.addEventListener('abort', stop);
    });
  syncBuiltinESMExports();
  return () => {
    vi.useRealTimers();
    timers.setTimeout = real;
    syncBuiltinESMExports();
  };
}
