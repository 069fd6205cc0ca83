import { expect } from 'vitest';
import * as module from '../../src/platform/events/outbound-subscriber.js';
import { ManualClock } from '../support/clocks.js';
import { MemoryOutboxRepository } from '../support/memory/memory-outbox-repository.js';
import { MemoryUnitOfWork } from '../support/memory/memory-unit-of-work.js';
import { inAnyOrder } from './orders.js';
import { deliver, plan, slow } from './outbox-replicas.js';

inAnyOrder('an outbound event is delivered by one replica at a time, and in order with those of its pet', {
  module,
  plan,
  async story({ OutboundSubscriber }, { events, failing }, order) {
    const clock = new ManualClock();
    const messages = slow(new MemoryOutboxRepository(new MemoryUnitOfWork()), order);
    const log = { warn: () => undefined, debug: () => undefined };
    const running = new Set<string>();
    const delivered: string[] = [];
    const wrong: string[] = [];
    let calls = 0;
    const replicas = [0, 1].map(() => {
      const replica = new OutboundSubscriber('receiver', messages, clock, { min: 1_000, max: 1_000 }, log);
      const handle = async ({ id, number }: { readonly [name: string]: unknown }) => {
        const call = calls++;
        const [pet, event] = [`pet ${id}`, `${id} ${number}`];
        if (running.has(pet)) wrong.push(`two events of ${pet} are delivered at once`);
        running.add(pet);
        await order.event(`call ${call} of the handler ends`);
        running.delete(pet);
        if (failing.includes(call)) throw new Error('not now');
        delivered.push(event);
      };
      replica.handle('Fed', handle);
      return replica;
    });

    const recorded: string[] = [];
    const record = async () => {
      for (const [i, id] of events.entries()) {
        await order.event('an event');
        const payload = { id, number: BigInt(i) };
        recorded.push(`${id} ${i}`);
        const of = { subscriber: 'receiver', type: 'Fed', aggregate: `pet/${id}` };
        await messages.add([{ id: BigInt(i), ...of, payload }], clock.now());
      }
    };
    await deliver(replicas, record, { messages, clock, retryDelay: 1_000 }, order);

    const of = (id: bigint, all: readonly string[]) => all.filter((one) => one.startsWith(`${id} `));
    expect(wrong).toEqual([]);
    for (const id of [1n, 2n]) expect(of(id, delivered)).toEqual(of(id, recorded));
    expect(await messages.backlog()).toEqual([]);
  },
  faults: {
    'one replica at a time delivers a message to an outbound subscriber':
      'await this.messages.change(message, claim);',
  },
});
