import type { DataSource } from 'typeorm';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import type { BaseQueryRunner } from 'typeorm/query-runner/BaseQueryRunner.js';
import type { DatabaseUnavailable } from '../errors.js';

/** What both engines' runners add to their base class. With all of `QueryRunner` here, tsc cannot write the mixin's type. */
interface Transactions {
  startTransaction(isolation?: IsolationLevel): Promise<void>;
  commitTransaction(): Promise<void>;
  rollbackTransaction(): Promise<void>;
  release(): Promise<void>;
}

// oxlint-disable-next-line no-explicit-any -- a mixin must accept the arguments of every constructor
export type RunnerClass = abstract new (...args: any[]) => BaseQueryRunner & Transactions;

/** What a runner needs of the data source. */
export interface RunnerSource extends DataSource {
  /** @throws Error in failed work that still runs */
  readonly insideTransaction: boolean;
  /** Rejects every statement while it is set. */
  readonly refusal: DatabaseUnavailable | undefined;
  /** Why the database rejected the last change. Undefined if it accepted the change. */
  refusedChange: string | undefined;
}
