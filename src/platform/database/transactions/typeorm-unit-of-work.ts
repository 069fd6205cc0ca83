import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { JoiningDataSource } from '../data-source.js';

/** Implements a unit of work as a database transaction. */
@Injectable()
export class TypeOrmUnitOfWork extends UnitOfWork {
  constructor(private readonly source: JoiningDataSource) {
    super();
  }

  override run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.source.inTransaction(work);
  }
}
