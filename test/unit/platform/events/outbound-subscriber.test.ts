import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Delivery, EventType } from '../../../../src/kernel/events.js';
import type { Int64 } from '../../../../src/kernel/int64.js';
import { eventsOver } from '../../../support/events.js';
import { MemoryOutboxRepository } from '../../../support/memory/memory-outbox-repository.js';
import { MemorySequence } from '../../../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../../support/memory/memory-unit-of-work.js';

const Fed = new EventType<{ id: Int64; food: string }>('pet', 'Fed');
const Washed = new EventType<{ id: Int64 }>('pet', 'Washed');

const LEASE_MS = 60_000;
const TIME_LIMIT_MS = 50_000;

/** Replicas over one outbox and one clock. */
function shop() {
  const units = new MemoryUnitOfWork();
  const messages = new MemoryOutboxRepository(units);
  const ids = new MemorySequence();
  const first = eventsOver(messages, ids, units);
  const replica = () => eventsOver(messages, ids, units, first.clock);
  const feed = (id: Int64, ...foods: string[]) =>
    first.events.record(Fed, async () => foods.map((food) => ({ id, food })));
  return { ...first, messages, replica, feed };
}

type Replica = ReturnType<typeof eventsOver>;
type Handler = (food: string, delivery: Delivery) => Promise<void>;

/** Subscribes `receiver` to `Fed`. @returns the foods of its calls */
function receiver({ events }: Replica, handle: Handler = async () => {}, options?: { tries: number }) {
  const calls: string[] = [];
  const call = async ({ food }: { food: string }, delivery: Delivery) => {
    calls.push(food);
    await handle(food, delivery);
  };
  events.subscribeOutbound(Fed, 'receiver', call, options);
  return calls;
}

const fails = () => Promise.reject(new Error('the receiver is away'));

/** A handler that runs until its signal is aborted, as `fetch` does. */
const untilAborted: Handler = (_, { signal }) =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );

afterEach(() => void vi.useRealTimers());

describe('an outbound subscriber', () => {
  it('subscribes once to each type, and does not share its name with an ordinary subscriber', () => {
    const { events } = shop();
    const handler = async () => {};
    events.subscribeOutbound(Fed, 'receiver', handler);
    events.subscribe(Fed, 'listener', handler);
    expect(events.subscribers).toEqual(['listener', 'receiver']);
    expect(() => events.subscribeOutbound(Fed, 'receiver', handler)).toThrow(
      '"receiver" has subscribed to Fed already.',
    );
    const both = 'uses subscribe and subscribeOutbound: give each its own name.';
    expect(() => events.subscribe(Washed, 'receiver', handler)).toThrow(`"receiver" ${both}`);
    expect(() => events.subscribeOutbound(Washed, 'listener', handler)).toThrow(`"listener" ${both}`);
    expect(() => events.subscribeOutbound(Washed, 'receiver', handler)).not.toThrow();
  });

  it('gets the payload, the id of the event, the number of the try and a signal', async () => {
    const { events, feed, deliver, clock } = shop();
    const tries: { payload: object; id: Int64; attempt: number; isAborted: boolean }[] = [];
    events.subscribeOutbound(Fed, 'receiver', async (payload, { id, attempt, signal }) => {
      tries.push({ payload, id, attempt, isAborted: signal.aborted });
      if (attempt === 1) throw new Error('the receiver is away');
    });
    await feed(7n, 'fish');
    await deliver();
    clock.advance(1_000);
    await deliver();
    const each = { payload: { id: 7n, food: 'fish' }, id: tries[0]!.id, isAborted: false };
    expect(tries).toEqual([
      { ...each, attempt: 1 },
      { ...each, attempt: 2 },
    ]);
    expect(await events.backlog()).toEqual([]);
  });

  it('delivers the events of one entity in order, and events of other entities meanwhile', async () => {
    const { feed, deliver, events, ...replica } = shop();
    let release = () => {};
    const calls = receiver({ events, deliver, ...replica }, (food) =>
      food === 'fish' ? new Promise((resolve) => (release = resolve)) : Promise.resolve(),
    );
    await feed(1n, 'fish', 'meat');
    await feed(2n, 'milk');
    const delivered = deliver();
    await expect.poll(() => calls).toEqual(['fish', 'milk']);
    await feed(3n, 'hay');
    events.poll();
    await expect.poll(() => calls).toEqual(['fish', 'milk', 'hay']);
    release();
    await delivered;
    expect(calls).toEqual(['fish', 'milk', 'hay', 'meat']);
  });

  it('delivers the events of more than a thousand entities, which are read in parts', async () => {
    const { events, deliver, ...replica } = shop();
    const calls = receiver({ events, deliver, ...replica });
    const ids = Array.from({ length: 1_050 }, (_, i) => BigInt(i + 1));
    await events.record(Fed, async () => ids.map((id) => ({ id, food: `meal ${id}` })));
    await deliver();
    expect(calls.toSorted()).toEqual(ids.map((id) => `meal ${id}`).toSorted());
  });

  it('delivers at most ten events at once', async () => {
    const { feed, deliver, ...replica } = shop();
    const waiting: (() => void)[] = [];
    receiver({ deliver, ...replica }, () => new Promise((resolve) => waiting.push(resolve)));
    for (let id = 1n; id <= 25n; id++) await feed(id, 'fish');
    const delivered = deliver();
    for (const [done, running] of [10, 20, 25].entries()) {
      await expect.poll(() => waiting.length).toBe(running);
      await turn();
      for (const release of waiting.slice(done * 10)) release();
    }
    await delivered;
    expect(await replica.events.backlog()).toEqual([]);
  });

  it('delays no other subscriber', async () => {
    const { feed, deliver, events, ...replica } = shop();
    let release = () => {};
    const calls = receiver(
      { events, deliver, ...replica },
      () => new Promise((resolve) => (release = resolve)),
    );
    const heard: string[] = [];
    events.subscribe(Fed, 'listener', async ({ food }) => void heard.push(food));
    events.subscribeOutbound(Fed, 'other', async ({ food }) => void heard.push(`other ${food}`));
    await feed(1n, 'fish');
    events.poll();
    await expect.poll(() => heard.toSorted()).toEqual(['fish', 'other fish']);
    expect(calls).toEqual(['fish']);
    release();
    await deliver();
    expect(await events.backlog()).toEqual([]);
  });

  it('is not called by another replica until the claim ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { feed, replica, clock, ...first } = shop();
    const frozen = receiver({ clock, ...first }, () => new Promise(() => {}));
    const other = replica();
    const calls = receiver(other);
    await feed(1n, 'fish', 'meat');
    first.events.poll();
    await expect.poll(() => frozen).toEqual(['fish']);
    clock.advance(LEASE_MS - 1);
    await other.deliver();
    expect(calls).toEqual([]);
    clock.advance(1);
    await other.deliver();
    expect(calls).toEqual(['fish', 'meat']);
  });
});

describe('a delivery that fails', () => {
  it('is repeated 20 times within an hour by default, and then set aside', async () => {
    const { feed, deliver, clock, warnings, ...replica } = shop();
    const calls = receiver({ deliver, clock, warnings, ...replica }, fails);
    const started = clock.now();
    await feed(1n, 'fish');
    const delays = [1, 2, 4, 8, 16, 32, 64, 128, 256, ...Array<number>(10).fill(300)];
    for (const [tries, seconds] of delays.entries()) {
      await deliver();
      expect(calls).toHaveLength(tries + 1);
      expect(warnings.at(-1)).toBe(
        `"receiver" failed on Fed of pet/1, next try in ${seconds * 1_000} ms: the receiver is away`,
      );
      clock.advance(seconds * 1_000 - 1);
      await deliver();
      expect(calls).toHaveLength(tries + 1);
      clock.advance(1);
    }
    expect((clock.now() - started) / 60_000).toBeCloseTo(58.5, 1);
    expect(await replica.events.backlog()).toMatchObject([{ waiting: 1, failing: 1, setAside: 0 }]);
    await deliver();
    expect(calls).toHaveLength(20);
    const [aside] = await replica.messages.setAside('receiver', 10);
    expect(warnings.at(-1)).toBe(
      '"receiver" failed 20 times on Fed of pet/1, which is set aside: the receiver is away ' +
        `To send it again, run "petstore events resend receiver ${aside!.id}".`,
    );
    const nothing = { waiting: 0, since: null, failing: 0, problem: null };
    expect(await replica.events.backlog()).toEqual([{ subscriber: 'receiver', ...nothing, setAside: 1 }]);
    clock.advance(3_600_000);
    await deliver();
    expect(calls).toHaveLength(20);
  });

  it('lets later events of its entity go on when it is set aside, and is sent again on request', async () => {
    const { feed, deliver, clock, messages, events, ...replica } = shop();
    let isAway = true;
    const tried: string[] = [];
    const handle: Handler = async (food, { id, attempt }) => {
      tried.push(`${food} ${attempt}`);
      if (isAway && food === 'fish') throw new Error(`no ${id}`);
    };
    receiver({ deliver, clock, events, ...replica }, handle, { tries: 2 });
    await feed(1n, 'fish', 'meat');
    await deliver();
    clock.advance(1_000);
    await deliver();
    expect(tried).toEqual(['fish 1', 'fish 2', 'meat 1']);
    const [aside] = await messages.setAside('receiver', 10);
    const { id } = aside!;
    expect(aside).toMatchObject({
      type: 'Fed',
      aggregate: 'pet/1',
      setAsideAt: clock.now(),
      problem: `no ${id}`,
    });
    isAway = false;
    expect(await messages.resend('receiver', [id + 1_000n])).toBe(0);
    expect(await messages.resend('receiver', [id])).toBe(1);
    await deliver();
    expect(tried.at(-1)).toBe('fish 1');
    expect(await events.backlog()).toEqual([]);
  });

  it('is set aside if the process ended during the last try', async () => {
    const { feed, replica, clock, ...first } = shop();
    const frozen = receiver({ clock, ...first }, () => new Promise(() => {}), { tries: 1 });
    await feed(1n, 'fish');
    first.events.poll();
    await expect.poll(() => frozen).toEqual(['fish']);
    clock.advance(LEASE_MS);
    const other = replica();
    const calls = receiver(other, fails, { tries: 1 });
    await other.deliver();
    expect(calls).toEqual([]);
    expect(await first.messages.setAside('receiver', 1)).toMatchObject([
      { problem: 'the process ended during the last try' },
    ]);
  });

  it('is set aside with its last problem if the process ended during a later try', async () => {
    const { feed, replica, clock, ...first } = shop();
    const tried = receiver(
      { clock, ...first },
      (_, { attempt }) => (attempt === 1 ? fails() : new Promise(() => {})),
      {
        tries: 2,
      },
    );
    await feed(1n, 'fish');
    await first.deliver();
    clock.advance(1_000);
    first.events.poll();
    await expect.poll(() => tried).toEqual(['fish', 'fish']);
    clock.advance(LEASE_MS);
    const other = replica();
    const calls = receiver(other, fails, { tries: 2 });
    await other.deliver();
    expect(calls).toEqual([]);
    expect(await first.messages.setAside('receiver', 1)).toMatchObject([{ problem: 'the receiver is away' }]);
  });

  it('is repeated 20 times while its subscriber does not handle the type', async () => {
    const { feed, replica, clock, ...first } = shop();
    receiver({ clock, ...first });
    await feed(1n, 'fish');
    const other = replica();
    other.events.subscribeOutbound(Washed, 'receiver', async () => {});
    for (let tries = 1; tries < 20; tries++) {
      await other.deliver();
      clock.advance(300_000);
    }
    expect(other.warnings).toHaveLength(19);
    expect(other.warnings[0]).toBe(
      '"receiver" failed on Fed of pet/1, next try in 1000 ms: nobody reacts to Fed any more',
    );
    expect(await first.messages.setAside('receiver', 1)).toEqual([]);
    await other.deliver();
    expect(await first.messages.setAside('receiver', 1)).toMatchObject([
      { problem: 'nobody reacts to Fed any more' },
    ]);
  });
});

describe('the signal of a delivery', () => {
  it('is aborted before the claim ends, and the try counts as failed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { feed, deliver, warnings, ...replica } = shop();
    const calls = receiver({ deliver, warnings, ...replica }, untilAborted);
    await feed(1n, 'fish');
    const delivered = deliver();
    while (calls.length === 0) await turn();
    vi.advanceTimersByTime(TIME_LIMIT_MS - 1);
    await turn();
    expect(warnings).toEqual([]);
    vi.advanceTimersByTime(1);
    await delivered;
    expect(warnings).toEqual([
      '"receiver" failed on Fed of pet/1, next try in 1000 ms: The time limit of 50 s has passed.',
    ]);
  });

  it('is aborted when the service stops, and the try does not count', async () => {
    const { feed, replica, ...first } = shop();
    const signals: AbortSignal[] = [];
    const calls = receiver(first, (food, delivery) => {
      signals.push(delivery.signal);
      return untilAborted(food, delivery);
    });
    await feed(1n, 'fish', 'meat');
    first.events.poll();
    await expect.poll(() => calls).toEqual(['fish']);
    await first.events.beforeApplicationShutdown();
    expect(signals.map(({ reason }) => (reason as Error).message)).toEqual(['The service stops.']);
    expect(first.warnings).toEqual([]);
    first.events.poll();
    await turn();
    expect(calls).toEqual(['fish']);
    const tries: number[] = [];
    const other = replica();
    receiver(other, async (_, { attempt }) => void tries.push(attempt));
    await other.deliver();
    expect(tries).toEqual([1, 1]);
  });

  it('is aborted when the service stops while the delivery begins', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { feed, messages, ...replica } = shop();
    const calls = receiver({ ...replica }, untilAborted);
    await feed(1n, 'fish');
    const { change } = messages;
    let answer = () => {};
    const claimed = new Promise<void>((resolve) => (answer = resolve));
    let isAsked = false;
    messages.change = async (...given) => {
      const result = await change.apply(messages, given);
      isAsked = true;
      await claimed;
      return result;
    };
    replica.events.poll();
    await expect.poll(() => isAsked).toBe(true);
    const stopped = replica.events.beforeApplicationShutdown();
    answer();
    await stopped;
    expect(calls).toEqual(['fish']);
    expect(await replica.events.backlog()).toMatchObject([{ waiting: 1, failing: 0 }]);
  });

  it('ends the wait for a handler that ignores it', async () => {
    const { feed, ...replica } = shop();
    const calls = receiver(replica, () => new Promise(() => {}));
    await feed(1n, 'fish');
    replica.events.poll();
    await expect.poll(() => calls).toEqual(['fish']);
    await replica.events.beforeApplicationShutdown();
    expect(await replica.events.backlog()).toMatchObject([{ waiting: 1, failing: 0 }]);
  });

  it('does not turn a handler that succeeds into a failure', async () => {
    const { feed, ...replica } = shop();
    const calls = receiver(replica, (food, delivery) => untilAborted(food, delivery).catch(() => {}));
    await feed(1n, 'fish');
    replica.events.poll();
    await expect.poll(() => calls).toEqual(['fish']);
    await replica.events.beforeApplicationShutdown();
    expect(await replica.events.backlog()).toEqual([]);
  });
});
