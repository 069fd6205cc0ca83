import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import { OldRows } from '../../../platform/database/purge.js';
import { deleteInBatches } from '../../../platform/database/queries/delete-in-batches.js';
import { PetSettings } from '../../pets.settings.js';
import { type Import, ImportSchema } from './import.schema.js';

const DAY_MS = 86_400_000;

/** Deletes the progress of imports that were not continued for a long time. */
@Injectable()
export class OldImports extends OldRows {
  readonly schedule = 'once a day';

  constructor(
    @InjectRepository(ImportSchema) private readonly imports: Repository<Import>,
    private readonly settings: PetSettings,
    private readonly clock: Clock,
  ) {
    super();
  }

  override purge(): Promise<number> {
    const oldest = this.clock.now() - this.settings.importDays * DAY_MS;
    return deleteInBatches(this.imports, { changedAt: LessThan(oldest) });
  }
}
