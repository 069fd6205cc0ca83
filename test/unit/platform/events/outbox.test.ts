import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { EventType } from '../../../../src/kernel/events.js';
import type { Int64 } from '../../../../src/kernel/int64.js';
import { Outbox } from '../../../../src/platform/events/outbox.js';
import { ManualClock } from '../../../support/clocks.js';
import { MemoryOutboxRepository } from '../../../support/memory/memory-outbox-repository.js';
import { MemorySequence } from '../../../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../../support/memory/memory-unit-of-work.js';

const Fed = new EventType<{ id: Int64; food: string }>('pet', 'Fed');
const Washed = new EventType<{ id: Int64 }>('pet', 'Washed');

/** Records the queries of the outbox. */
class WatchedMessages extends MemoryOutboxRepository {
  readonly asked: string[] = [];
  rounds = 0;
  isAway = false;
  isTakenElsewhere = false;

  override withMessages() {
    this.rounds += 1;
    return super.withMessages();
  }

  override async take(id: bigint) {
    return !this.isTakenElsewhere && super.take(id);
  }

  override due(...given: Parameters<MemoryOutboxRepository['due']>) {
    const [subscriber, , after] = given;
    this.asked.push(`${subscriber} from ${after || 'the beginning'}`);
    return this.isAway ? Promise.reject(new Error('the database is away')) : super.due(...given);
  }
}

class CountedUnits extends MemoryUnitOfWork {
  count = 0;

  override run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.count += 1;
    return super.run(work);
  }
}

function shop() {
  const units = new CountedUnits();
  const messages = new WatchedMessages(units);
  const [ids, clock] = [new MemorySequence(), new ManualClock()];
  const told: string[] = [];
  const log = {
    warn: (text: string) => void told.push(text),
    debug: (text: string) => void told.push(`(${text})`),
  };
  const replica = () =>
    new Outbox(
      messages,
      { of: (name) => (name === 'outbox' ? ids : expect.unreachable()) },
      units,
      clock,
      log,
    );
  const feed = (outbox: Outbox, ...foods: string[]) =>
    Promise.all(foods.map((food, i) => outbox.record(Fed, async () => ({ id: BigInt(i + 1), food }))));
  return { messages, units, clock, told, replica, feed };
}

/** Subscribes to `Fed`, and returns the list of received events. */
function listener(outbox: Outbox, name = 'listener', react = async (_food: string): Promise<void> => {}) {
  const heard: string[] = [];
  outbox.subscribe(Fed, name, async ({ food }) => {
    heard.push(food);
    await react(food);
  });
  return heard;
}

describe('subscribing', () => {
  it('is allowed once for each type and name', () => {
    const outbox = shop().replica();
    listener(outbox);
    expect(() => listener(outbox)).toThrow('"listener" has subscribed to Fed already.');
    listener(outbox, 'other');
    outbox.subscribe(Washed, 'listener', async () => {});
    expect(outbox.subscribers).toEqual(['listener', 'other']);
  });
});

describe('recording an event', () => {
  it('returns the result of the work, and costs nothing without subscribers', async () => {
    const { replica, feed, messages, units } = shop();
    expect(await feed(replica(), 'fish')).toEqual([{ id: 1n, food: 'fish' }]);
    await replica().deliver();
    expect(units.count).toBe(0);
    expect(await messages.backlog()).toEqual([]);
    expect(messages.asked).toEqual([]);
  });

  it('stores a message for each subscriber that exists at that time', async () => {
    const { replica, feed, clock } = shop();
    const outbox = replica();
    listener(outbox);
    listener(outbox, 'other');
    expect(await feed(outbox, 'fish')).toEqual([{ id: 1n, food: 'fish' }]);
    const waiting = { waiting: 1, since: clock.now(), failing: 0, problem: null, setAside: 0 };
    expect(await outbox.backlog()).toEqual([
      { subscriber: 'listener', ...waiting },
      { subscriber: 'other', ...waiting },
    ]);
  });

  it('stores a message for each event of a list', async () => {
    const { replica } = shop();
    const outbox = replica();
    listener(outbox);
    const payloads = [1n, 2n].map((id) => ({ id, food: 'fish' }));
    expect(await outbox.record(Fed, async () => payloads)).toBe(payloads);
    expect(await outbox.backlog()).toMatchObject([{ waiting: 2 }]);
  });
});

describe('delivering', () => {
  it('continues until nothing is due, a thousand aggregates at a time', async () => {
    const { replica, feed, messages } = shop();
    const outbox = replica();
    const heard = listener(outbox);
    await feed(outbox, ...Array.from({ length: 2_500 }, (_, i) => `meal ${i}`));
    await outbox.deliver();
    expect(new Set(heard).size).toBe(2_500);
    expect(heard).toHaveLength(2_500);
    const parts = ['the beginning', 'pet/1899', 'pet/548'];
    expect(messages.asked).toEqual(parts.map((after) => `listener from ${after}`));
  });

  it('delivers a part of the messages of each subscriber in turn', async () => {
    const { replica, feed } = shop();
    const outbox = replica();
    const heard = ['first', 'second'].map((name) => listener(outbox, name));
    let ofFirst = 0;
    outbox.subscribe(Washed, 'second', async () => void (ofFirst = heard[0]!.length));
    await feed(outbox, ...Array.from({ length: 1_500 }, (_, i) => `meal ${i}`));
    await outbox.record(Washed, async () => ({ id: 0n }));
    await outbox.deliver();
    expect(ofFirst).toBe(1_000);
    expect(heard.map(({ length }) => length)).toEqual([1_500, 1_500]);
  });

  it('lets other work run between two messages', async () => {
    const { replica, feed } = shop();
    const outbox = replica();
    const heard = listener(outbox);
    await feed(outbox, 'one', 'two', 'three');
    const turns: number[] = [];
    const watch = () => {
      turns.push(heard.length);
      if (heard.length < 3) setImmediate(watch);
    };
    setImmediate(watch);
    await outbox.deliver();
    expect(turns.filter((count) => count === 1 || count === 2)).not.toEqual([]);
  });

  it('retries after 1, 2, 4 seconds and so on, up to five minutes, and logs it', async () => {
    const { replica, feed, clock, told } = shop();
    const outbox = replica();
    const heard = listener(outbox, 'listener', () => Promise.reject(new Error('cannot stand fish')));
    await feed(outbox, 'fish');
    const delays = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1_000);
    for (const [tries, delay] of delays.entries()) {
      await outbox.deliver();
      expect(heard).toHaveLength(tries + 1);
      expect(told.at(-1)).toBe(
        `"listener" failed on Fed of pet/1, next try in ${delay} ms: cannot stand fish`,
      );
      clock.advance(delay - 1);
      await outbox.deliver();
      expect(heard).toHaveLength(tries + 1);
      clock.advance(1);
    }
    expect(await outbox.backlog()).toMatchObject([{ failing: 1, problem: 'cannot stand fish' }]);
  });

  it('leaves to other replicas what they have taken', async () => {
    const { replica, feed, messages } = shop();
    const outbox = replica();
    const heard = listener(outbox);
    await feed(outbox, 'fish');
    messages.isTakenElsewhere = true;
    await outbox.deliver();
    expect([heard, messages.rounds]).toEqual([[], 1]);
  });

  it('logs what was thrown, even if it is not an error', async () => {
    const { replica, feed, told } = shop();
    const outbox = replica();
    listener(outbox, 'listener', () => Promise.reject('no fish'));
    await feed(outbox, 'fish');
    await outbox.deliver();
    expect(told).toEqual(['"listener" failed on Fed of pet/1, next try in 1000 ms: no fish']);
  });

  it('keeps a message without a handler while its subscriber still receives other events', async () => {
    const { replica, feed, clock, told } = shop();
    const before = replica();
    listener(before);
    await feed(before, 'fish');
    const after = replica();
    after.subscribe(Washed, 'listener', async () => {});
    await after.deliver();
    expect(told).toEqual([
      '"listener" failed on Fed of pet/1, next try in 1000 ms: nobody reacts to Fed any more',
    ]);
    // If the subscriber does not exist at all, its messages are not even read.
    const last = replica();
    last.subscribe(Washed, 'other', async () => {});
    clock.advance(1_000);
    await last.deliver();
    expect(told).toHaveLength(1);
  });
});

describe('polling', () => {
  it('delivers one round at a time, and continues after a round that failed', async () => {
    const { replica, feed, messages, told } = shop();
    const outbox = replica();
    const heard = listener(outbox);
    await feed(outbox, 'fish');
    messages.isAway = true;
    outbox.poll();
    outbox.poll();
    await turn();
    expect([messages.asked.length, told]).toEqual([1, ['(Error: the database is away)']]);
    messages.isAway = false;
    outbox.poll();
    await expect.poll(() => heard).toEqual(['fish']);
  });

  it('ends after the current message when the service stops', async () => {
    const { replica, feed, messages } = shop();
    const outbox = replica();
    let release!: () => void;
    const heard = listener(outbox, 'listener', () => new Promise((resolve) => (release = resolve)));
    await feed(outbox, 'one', 'two');
    outbox.poll();
    await expect.poll(() => heard).toEqual(['one']);
    let isStopped = false;
    const stopped = outbox.beforeApplicationShutdown().then(() => (isStopped = true));
    await turn();
    expect(isStopped).toBe(false);
    release();
    await stopped;
    const { rounds } = messages;
    outbox.poll();
    await turn();
    expect([heard, messages.rounds]).toEqual([['one'], rounds]);
    expect(await outbox.backlog()).toMatchObject([{ waiting: 1, failing: 0 }]);
  });
});
