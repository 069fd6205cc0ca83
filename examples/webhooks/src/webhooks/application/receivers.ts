import type { Int64, Page, RandomSource, Sequence } from '../../kernel/index.js';
import { NewReceiver, type NewReceiverInput } from '../domain/new-receiver.js';
import { ReceiverNotFound } from '../domain/receiver-errors.js';
import { generateSecret } from '../domain/receiver-secret.js';
import { Receiver } from '../domain/receiver.js';
import type { ReceiverRepository, ReceiverSelection } from '../ports/receiver-repository.js';

/** All use cases of receivers. */
export class Receivers {
  constructor(
    private readonly repository: ReceiverRepository,
    private readonly ids: Sequence,
    private readonly random: RandomSource,
    private readonly allowsHttp: boolean,
  ) {}

  /** One page of receivers. It is empty if nothing matches. */
  list(selection: ReceiverSelection): Promise<Page<Receiver>> {
    return this.repository.list(selection);
  }

  /** Adds a receiver. Its id is assigned before it is stored, so a retry cannot store it twice. */
  async add(input: NewReceiverInput): Promise<Receiver> {
    const newReceiver = NewReceiver.from(input, this.allowsHttp);
    const receiver = Receiver.create(await this.ids.next(), newReceiver, generateSecret(this.random));
    await this.repository.add(receiver);
    return receiver;
  }

  /** @throws ReceiverNotFound */
  async get(id: Int64): Promise<Receiver> {
    const receiver = await this.repository.find(id);
    if (!receiver) throw new ReceiverNotFound();
    return receiver;
  }

  /** Deletes a receiver if it exists. If `check` throws, nothing is deleted. */
  async delete(id: Int64, check: (receiver: Receiver) => void = () => {}): Promise<void> {
    await this.repository.delete(id, check);
  }
}
