import type { Int64 } from '../../../src/kernel/int64.js';
import { MemoryUnitOfWork } from './memory-unit-of-work.js';
import type { KeyEvent } from '../../../src/access/domain/api-key.js';
import { KeyHistory } from '../../../src/access/ports/key-history.js';

/** Keeps the history of keys in memory, for tests that need no database. */
export class MemoryKeyHistory extends KeyHistory {
  readonly #events: Map<number, KeyEvent>;

  constructor(private readonly units = new MemoryUnitOfWork()) {
    super();
    this.#events = units.table();
  }

  override record(event: KeyEvent): Promise<void> {
    return this.units.run(async () => void this.#events.set(this.#events.size, event));
  }

  override of(keyId: Int64): Promise<KeyEvent[]> {
    return this.units.run(async () => [...this.#events.values()].filter((event) => event.keyId === keyId));
  }
}
