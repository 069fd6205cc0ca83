import { createRequire, syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { planted } from '../support/planted-faults.js';

/** In how many orders a story is run. */
const ORDERS = Number(process.env['ORDERS'] ?? 500);
/** A planted fault is searched for in more orders, which are always the same, so that it is found each time. */
const FOR_A_FAULT = { numRuns: 10_000, seed: 1, endOnFailure: true };

/** `REPLAY=<seed>:<path>`, as a failing story prints it, runs the story in that order again. */
const [seed, path] = process.env['REPLAY']?.split(/:(.*)/s) ?? [];
const REPLAY = seed === undefined ? {} : { seed: Number(seed), path };

/** Lets events happen in an order that fast-check chooses. */
export class Order {
  constructor(private readonly scheduler: fc.Scheduler) {}

  /** Returns when it is this event's turn. */
  event(name: string): Promise<void> {
    return this.scheduler.schedule(Promise.resolve(), name);
  }

  /** Lets events happen until none is left. After each event, everything happens that does not wait for another event. */
  async play(): Promise<void> {
    for (;;) {
      await turn();
      if (this.scheduler.count() === 0) return;
      await this.scheduler.waitOne();
    }
  }
}

/** A part of the service that must work in any order of events. */
interface Part<Module, Plan> {
  /** The exports of its source file. */
  readonly module: Module;
  /** What differs from one run of the story to the next, besides the order. */
  readonly plan: fc.Arbitrary<Plan>;
  /** Throws if the part behaves wrongly in this order. */
  readonly story: (module: Module, plan: Plan, order: Order) => Promise<void>;
  /** The faults that the story must find: what a marked statement ensures, and a faulty statement in its place, or nothing. */
  readonly faults: Readonly<Record<string, string>>;
}

/** Runs the story of a part in many orders, and with each planted fault until the story finds the fault. */
export function inAnyOrder<Module, Plan>(what: string, part: Part<Module, Plan>): void {
  const { module, plan, story, faults } = part;
  const property = (told: Module) =>
    fc.asyncProperty(fc.scheduler(), plan, async (scheduler, one) => {
      const restore = makeTurnsEvents(scheduler);
      try {
        await story(told, one, new Order(scheduler));
      } finally {
        restore();
      }
    });

  describe(what, () => {
    // Vitest keeps the timers of its first use for all files of the process. They must not be the timers of a story.
    beforeAll(() => void vi.useFakeTimers().useRealTimers());

    it('holds', () => fc.assert(property(module), { numRuns: ORDERS, ...REPLAY }));

    it.each(Object.entries(faults))('notices a fault in what ensures that %s', async (ensured, instead) => {
      const faulty = await planted<Module>(ensured, instead);
      const { failed } = await fc.check(property(faulty), FOR_A_FAULT);
      expect(failed).toBe(true);
    });
  });
}

const turn = promisify(globalThis.setImmediate);
const timers = createRequire(import.meta.url)('node:timers/promises') as {
  setImmediate: (value?: unknown) => Promise<unknown>;
};

/** Makes the turns of the event loop ordinary events. A turn runs everything that was planned before it. */
function makeTurnsEvents(scheduler: fc.Scheduler): () => void {
  const { setImmediate } = globalThis;
  const real = timers.setImmediate;
  let planned: (() => void)[] = [];
  const plan = (callback: () => void) => {
    if (planned.push(callback) > 1) return;
    void scheduler.schedule(Promise.resolve(), 'turn of the event loop').then(() => {
      const all = planned;
      planned = [];
      for (const one of all) one();
    });
  };
  globalThis.setImmediate = ((callback: (...args: unknown[]) => void, ...args: unknown[]) =>
    plan(() => callback(...args))) as unknown as typeof setImmediate;
  timers.setImmediate = () => new Promise<void>(plan);
  syncBuiltinESMExports();
  return () => {
    globalThis.setImmediate = setImmediate;
    timers.setImmediate = real;
    syncBuiltinESMExports();
  };
}
