import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import { OldRows } from '../../../platform/database/purge.js';
import { deleteInBatches } from '../../../platform/database/queries/delete-in-batches.js';
import { AccessSettings } from '../../access.settings.js';
import { KeyEventSchema, type StoredKeyEvent } from './key-event.schema.js';

const DAY_MS = 86_400_000;

/** Deletes the history of keys that is older than the operator wants to keep. */
@Injectable()
export class OldKeyEvents extends OldRows {
  readonly schedule = 'once a day';

  constructor(
    @InjectRepository(KeyEventSchema) private readonly events: Repository<StoredKeyEvent>,
    private readonly settings: AccessSettings,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async purge(): Promise<number> {
    const { historyDays } = this.settings;
    if (historyDays === undefined) return 0;
    return deleteInBatches(this.events, { at: LessThan(this.clock.now() - historyDays * DAY_MS) });
  }
}
