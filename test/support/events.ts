import { MemoryOutboxRows } from './memory-outbox-rows.js';
import { MemorySequence } from './memory-sequence.js';
import { MemoryUnitOfWork } from '../../src/platform/memory/memory-unit-of-work.js';
import { Delivery } from '../../src/platform/events/delivery.js';
import { Outbox } from '../../src/platform/events/outbox.js';
import type { OutboxRows } from '../../src/platform/events/outbox-rows.js';
import type { Sequence } from '../../src/kernel/sequence.js';
import type { UnitOfWork } from '../../src/kernel/unit-of-work.js';
import { ManualClock } from './clocks.js';

/** Events as one replica has them, and the round that delivers them, which a test sets off by itself. */
export function eventsOver(rows: OutboxRows, ids: Sequence, units: UnitOfWork, clock = new ManualClock()) {
  const events = new Outbox(rows, ids, units, clock);
  const warnings: string[] = [];
  const delivery = new Delivery(events, rows, units, clock, (message) => warnings.push(message));
  return { events, warnings, clock, deliver: () => delivery.deliver() };
}

/** The same in memory, for tests that need no database. */
export function memoryEvents(units = new MemoryUnitOfWork()) {
  return eventsOver(new MemoryOutboxRows(units), new MemorySequence(), units);
}
