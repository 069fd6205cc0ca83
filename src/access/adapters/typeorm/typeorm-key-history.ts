import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntitySchema, Repository } from 'typeorm';
import type { Int64 } from '../../../kernel/int64.js';
import type { Sequence } from '../../../kernel/sequence.js';
import { columns } from '../../../platform/database/columns.js';
import { Sequences } from '../../../platform/database/sequence/sequences.js';
import type { KeyEvent } from '../../domain/api-key.js';
import { KeyHistory } from '../../ports/key-history.js';

/** An event of a key. Its id gives its place in the order of all events. */
type StoredKeyEvent = KeyEvent & { readonly id: Int64 };

export const KeyEventSchema = new EntitySchema<StoredKeyEvent>({
  name: 'KeyEvent',
  tableName: 'api_key_events',
  columns: {
    id: columns.int64({ primary: true }),
    keyId: columns.int64({ name: 'key_id' }),
    act: columns.word(16),
    actor: columns.text(255),
    at: columns.number(),
  },
  indices: [{ name: 'api_key_events_by_key', columns: ['keyId', 'id'] }],
});

/** Keeps what was done to keys in the table `api_key_events`. */
@Injectable()
export class TypeOrmKeyHistory extends KeyHistory {
  readonly #ids: Sequence;

  constructor(
    @InjectRepository(KeyEventSchema) private readonly events: Repository<StoredKeyEvent>,
    sequences: Sequences,
  ) {
    super();
    this.#ids = sequences.of('api_key_events');
  }

  override async record(event: KeyEvent): Promise<void> {
    await this.events.insert({ ...event, id: await this.#ids.next() });
  }

  override async of(keyId: Int64): Promise<KeyEvent[]> {
    const events = await this.events.find({ where: { keyId }, order: { id: 'ASC' } });
    return events.map(({ act, actor, at }) => ({ keyId, act, actor, at }));
  }
}
