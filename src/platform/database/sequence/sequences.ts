import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { Sequence } from '../../../kernel/sequence.js';
import { JoiningDataSource } from '../data-source.js';
import { TypeOrmSequence } from './typeorm-sequence.js';

/** Gives each module the sequence it named in a migration. */
@Injectable()
export class Sequences {
  constructor(
    private readonly source: JoiningDataSource,
    private readonly clock: Clock,
  ) {}

  of(name: string): Sequence {
    return new TypeOrmSequence(name, this.source, this.clock);
  }
}
