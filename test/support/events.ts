import { MemoryOutboxRepository } from './memory/memory-outbox-repository.js';
import { MemorySequence } from './memory/memory-sequence.js';
import { MemoryUnitOfWork } from './memory/memory-unit-of-work.js';
import { Outbox } from '../../src/platform/events/outbox.js';
import type { OutboxMessages } from '../../src/platform/events/outbox-repository.js';
import type { Sequence } from '../../src/kernel/sequence.js';
import type { UnitOfWork } from '../../src/kernel/unit-of-work.js';
import { ManualClock } from './clocks.js';

/** The events of one replica; the test starts each delivery itself. */
export function eventsOver(
  messages: OutboxMessages,
  ids: Sequence,
  units: UnitOfWork,
  clock = new ManualClock(),
) {
  const warnings: string[] = [];
  const log = { warn: (text: string) => void warnings.push(text), debug: () => {} };
  const events = new Outbox(messages, { of: () => ids }, units, clock, log);
  return { events, warnings, clock, deliver: () => events.deliver() };
}

/** The same in memory, for tests that need no database. */
export function memoryEvents(units = new MemoryUnitOfWork()) {
  return eventsOver(new MemoryOutboxRepository(units), new MemorySequence(), units);
}
