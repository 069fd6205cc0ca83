import { expect } from 'vitest';
import { EventType } from '../../src/kernel/events.js';
import type { Int64 } from '../../src/kernel/int64.js';
import * as module from '../../src/platform/events/outbox.js';
import { ManualClock } from '../support/clocks.js';
import { MemoryOutboxRepository } from '../support/memory/memory-outbox-repository.js';
import { MemorySequence } from '../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../support/memory/memory-unit-of-work.js';
import { inAnyOrder } from './orders.js';
import { deliver, plan, slow } from './outbox-replicas.js';

const Fed = new EventType<{ id: Int64; number: Int64 }>('pet', 'Fed');

inAnyOrder('an event is delivered once, and in order with the other events of its pet', {
  module,
  plan,
  async story({ Outbox }, { events, failing }, order) {
    const clock = new ManualClock();
    const units = new MemoryUnitOfWork();
    const heard = units.table<number, string>();
    const messages = slow(new MemoryOutboxRepository(units), order);
    const ids = new MemorySequence();
    const log = { warn: () => undefined, debug: () => undefined };
    let calls = 0;
    const replicas = [0, 1].map(() => {
      const outbox = new Outbox(messages, { of: () => ids }, units, clock, log);
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
    await deliver(replicas, record, { messages, clock, retryDelay: 300_000 }, order);

    const of = (id: Int64, all: Iterable<string>) => [...all].filter((one) => one.startsWith(`${id} `));
    for (const id of numbers.keys()) expect(of(id, heard.values())).toEqual(of(id, recorded));
    expect(await messages.backlog()).toEqual([]);
  },
  faults: {
    'one replica handles a message': 'await handler(payload);\nreturn this.messages.take(id);',
  },
});
