import fc from 'fast-check';
import type { ManualClock } from '../support/clocks.js';
import type { MemoryOutboxRepository } from '../support/memory/memory-outbox-repository.js';
import type { Order } from './orders.js';

/** Events of two pets while two replicas deliver. Some calls of the handler fail. */
export const plan = fc.record({
  events: fc.array(fc.constantFrom(1n, 2n), { minLength: 1, maxLength: 4 }),
  failing: fc.uniqueArray(fc.nat(6), { maxLength: 2 }),
});

/** The repository in memory responds at once, but a database does not. */
export function slow(messages: MemoryOutboxRepository, order: Order): MemoryOutboxRepository {
  const { due } = messages;
  return Object.assign(messages, {
    due: async (...asked: Parameters<typeof due>) => {
      const found = await due.apply(messages, asked);
      await order.event('the due messages are read');
      return found;
    },
  });
}

/** Two replicas poll while events are recorded. Then the first one polls, each time after `retryDelay` ms, until nothing waits. */
export async function deliver(
  replicas: readonly { poll(): void }[],
  record: () => Promise<void>,
  rest: {
    readonly messages: MemoryOutboxRepository;
    readonly clock: ManualClock;
    readonly retryDelay: number;
  },
  order: Order,
): Promise<void> {
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
  for (let round = 0; round < 10 && (await rest.messages.backlog()).length > 0; round++) {
    rest.clock.advance(rest.retryDelay);
    replicas[0]!.poll();
    await order.play();
  }
}
