import { UnitOfWork } from '../../kernel/unit-of-work.js';
import type { Sql } from './sql.js';

/** A unit of work is a database transaction. */
export class TypeOrmUnitOfWork extends UnitOfWork {
  constructor(private readonly sql: Sql) {
    super();
  }

  override run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.sql.transaction(work);
  }
}
