import { createRequire, syncBuiltinESMExports } from 'node:module';
import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { DatabaseUnavailable, type JoiningDataSource } from '../../src/platform/database/index.js';
import { type LeaseRows, leases as module } from '../support/rooms/database.js';
import { inAnyOrder, type Order } from './orders.js';

const TTL_MS = 3_000;
const TIME = 1;
const MANY = 1_000;

/** How a statement ends; all other statements succeed. */
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

type Rows = Pick<LeaseRows, 'take' | 'renew' | 'release'>;
type Call = Parameters<Rows['take']>[0];

/** The row of the lease. The clock of its database is the clock of the story. */
class Table {
  #holder: string | undefined;
  #heldUntil = 0;
  #isDone = false;

  constructor(
    private readonly order: Order,
    private readonly statements: ReturnType<typeof statement.generate>['value'][],
  ) {}

  /** What a process sees. */
  rowsFor(process: { isDead: boolean }): Rows {
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
    return {
      take: (call) => execute('a take', () => this.#take(call)),
      renew: (call) => execute('a renewal', () => this.#renew(call)),
      release: (call, problem) => execute('a release', () => this.#release(call, problem)),
    };
  }

  #take({ holder, ttl, once }: Call): 'taken' | 'held' | 'done' {
    if (once !== undefined && this.#isDone) return 'done';
    if (this.#holder !== holder && performance.now() < this.#heldUntil) return 'held';
    this.#holder = holder;
    this.#heldUntil = performance.now() + ttl;
    return 'taken';
  }

  #renew({ holder, ttl }: Call): boolean {
    if (this.#holder !== holder) return false;
    this.#heldUntil = performance.now() + ttl;
    return true;
  }

  #release({ holder }: Call, problem?: string | null): void {
    if (this.#holder !== holder) return;
    this.#holder = undefined;
    this.#heldUntil = 0;
    if (problem !== undefined) this.#isDone = true;
  }
}

inAnyOrder('a lease has one holder at a time, and work for a time is not run again', {
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
        const source = { insideTransaction: false } as JoiningDataSource;
        const all = new Leases(source, table.rowsFor(process) as LeaseRows);
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
    } finally {
      letTimeGo();
    }
  },
  faults: {
    'a holder gives the lease up before another process can take it': '',
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
