import fc from 'fast-check';
import { expect } from 'vitest';
import { EventType } from '../../src/kernel/events.js';
import type { Int64 } from '../../src/kernel/int64.js';
import type { OutboxMessages } from '../../src/platform/events/outbox-repository.js';
import * as module from '../../src/platform/events/outbox.js';
import { ManualClock } from '../support/clocks.js';
import { MemoryOutboxRepository } from '../support/memory/memory-outbox-repository.js';
import { MemorySequence } from '../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../support/memory/memory-unit-of-work.js';
import { inAnyOrder } from './orders.js';

const Fed = new EventType<{ id: Int64; number: Int64 }>('pet', 'Fed');

/** Events of two pets while two replicas deliver. Some deliveries fail the first time. */
const plan = fc.record({
  events: fc.array(fc.constantFrom(1n, 2n), { minLength: 1, maxLength: 4 }),
  failing: fc.uniqueArray(fc.nat(6), { maxLength: 2 }),
});

inAnyOrder('an event is delivered once, and in order with the other events of its pet', {
  module,
  plan,
  async story({ Outbox }, { events, failing }, order) {
    const clock = new ManualClock();
    const units = new MemoryUnitOfWork();
    const heard = units.table<number, string>();
    const messages = new MemoryOutboxRepository(units);
    // The repository in memory responds at once, but a database does not.
    const { due } = messages;
    const slow: OutboxMessages = Object.assign(messages, {
      due: async (...asked: Parameters<typeof due>) => {
        const found = await due.apply(messages, asked);
        await order.event('the due messages are read');
        return found;
      },
    });
    const ids = new MemorySequence();
    const log = { warn: () => undefined, debug: () => undefined };
    let calls = 0;
    const replicas = [0, 1].map(() => {
      const outbox = new Outbox(slow, { of: () => ids }, units, clock, log);
      outbox.subscribe(Fed, 'listener', async ({ id, number }) => {
        const call = calls++;
        heard.set(heard.size, `${id} ${number}`);
        await order.event(`call ${call} of the handler ends`);
        if (failing.includes(call)) throw new Error('not now');
      });
      return outbox;
    });

    const numbers = new Map<Int64, Int64>();
    const recorded: string[] = [];
    const record = async () => {
      for (const id of events) {
        await order.event('an event');
        const number = (numbers.get(id) ?? 0n) + 1n;
        numbers.set(id, number);
        recorded.push(`${id} ${number}`);
        await replicas[0]!.record(Fed, async () => ({ id, number }));
      }
    };
    const poll = async (replica: number) => {
      for (let round = 0; round < 2; round++) {
        await order.event(`replica ${replica} polls`);
        replicas[replica]!.poll();
      }
    };
    void record();
    void poll(0);
    void poll(1);
    await order.play();
    for (let round = 0; round < 10 && (await messages.backlog()).length > 0; round++) {
      clock.advance(300_000);
      replicas[0]!.poll();
      await order.play();
    }

    const of = (id: Int64, all: Iterable<string>) => [...all].filter((one) => one.startsWith(`${id} `));
    for (const id of numbers.keys()) expect(of(id, heard.values())).toEqual(of(id, recorded));
    expect(await messages.backlog()).toEqual([]);
  },
  faults: {
    'one replica handles a message': 'await handler(payload);\nreturn this.messages.take(id);',
  },
});
