import type { Int64, Page } from '../../../src/kernel/index.js';
import { MemoryUnitOfWork } from './memory-unit-of-work.js';
import { selectedPage } from './selected.js';
import type { Receiver } from '../../../src/webhooks/domain/receiver.js';
import {
  ReceiverRepository,
  type ReceiverSelection,
} from '../../../src/webhooks/ports/receiver-repository.js';

/** Keeps receivers in memory, for tests that need no database. */
export class MemoryReceiverRepository extends ReceiverRepository {
  readonly #receivers: Map<Int64, Receiver>;

  constructor(private readonly units = new MemoryUnitOfWork()) {
    super();
    this.#receivers = units.table();
  }

  override add(receiver: Receiver): Promise<void> {
    return this.units.run(async () => {
      if (this.#receivers.has(receiver.id)) throw new Error(`Id ${receiver.id} is taken.`);
      this.#receivers.set(receiver.id, receiver);
    });
  }

  override find(id: Int64): Promise<Receiver | undefined> {
    return this.units.run(async () => this.#receivers.get(id));
  }

  override list(selection: ReceiverSelection): Promise<Page<Receiver>> {
    return this.units.run(async () => selectedPage(this.#receivers.values(), selection));
  }

  override ids(): Promise<Int64[]> {
    return this.units.run(async () =>
      [...this.#receivers.keys()].toSorted((one, other) => Number(one - other)),
    );
  }

  override delete(id: Int64, check: (receiver: Receiver) => void): Promise<Receiver | undefined> {
    return this.units.run(async () => {
      const found = this.#receivers.get(id);
      if (found) check(found);
      this.#receivers.delete(id);
      return found;
    });
  }
}
