import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Int64 } from '../../../kernel/int64.js';
import type { Sequence } from '../../../kernel/sequence.js';
import { Sequences } from '../../../platform/database/sequence/sequences.js';
import type { KeyEvent } from '../../domain/api-key.js';
import { KeyHistory } from '../../ports/key-history.js';
import { KeyEventSchema, type StoredKeyEvent } from './key-event.schema.js';

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
