import type { Clock } from '../../kernel/clock.js';
import type { Sequence } from '../../kernel/sequence.js';
import type { Sql } from './sql.js';
import { TypeOrmSequence } from './typeorm-sequence.js';

/** Gives each module the sequence it named in a migration. */
export class Sequences {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  of(name: string): Sequence {
    return new TypeOrmSequence(name, this.sql, this.clock);
  }
}
