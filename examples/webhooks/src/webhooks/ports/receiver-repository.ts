import type { Int64, Page, Selection } from '../../kernel/index.js';
import type { Receiver } from '../domain/receiver.js';

/** Which receivers to list. */
export type ReceiverSelection = Selection<{}>;

/** What `Receivers` and `Webhooks` need from storage. */
export abstract class ReceiverRepository {
  /** Stores a new receiver in one step. */
  abstract add(receiver: Receiver): Promise<void>;
  abstract find(id: Int64): Promise<Receiver | undefined>;
  /** One page of the selected receivers. It is empty if nothing matches. */
  abstract list(selection: ReceiverSelection): Promise<Page<Receiver>>;
  /** The ids of all receivers, in ascending order. */
  abstract ids(): Promise<Int64[]>;
  /** Deletes one receiver in one step, unless `check` throws. @returns the deleted receiver; undefined if it did not exist */
  abstract delete(id: Int64, check: (receiver: Receiver) => void): Promise<Receiver | undefined>;
}
