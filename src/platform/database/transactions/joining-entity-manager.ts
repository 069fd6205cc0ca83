import {
  type DataSource,
  EntityManager,
  type EntityTarget,
  getMetadataArgsStorage,
  type ObjectLiteral,
  type QueryRunner,
  type Repository,
  type SaveOptions,
} from 'typeorm';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import type { TransactionScopes } from './transaction-scopes.js';

type Work<Result> = (manager: EntityManager) => Promise<Result>;

interface Source extends DataSource {
  readonly scopes: TransactionScopes;
  readonly insideTransaction: boolean;
  inNewTransaction<Result>(work: Work<Result>, isolation?: IsolationLevel): Promise<Result>;
}

/** An entity manager whose transactions everything inside joins, even without using the manager that is passed. */
export class JoiningEntityManager extends EntityManager {
  constructor(
    private readonly source: Source,
    runner?: QueryRunner,
  ) {
    super(source, runner);
  }

  /** Nest asks for the repository of a tree before the data source knows that it is one. */
  override getRepository<Entity extends ObjectLiteral>(target: EntityTarget<Entity>): Repository<Entity> {
    const isTree = getMetadataArgsStorage().trees.some((tree) => tree.target === target);
    return isTree ? this.getTreeRepository<Entity>(target) : super.getRepository<Entity>(target);
  }

  override transaction<Result>(work: Work<Result>): Promise<Result>;
  override transaction<Result>(isolation: IsolationLevel, work: Work<Result>): Promise<Result>;
  override async transaction<Result>(
    first: IsolationLevel | Work<Result>,
    second?: Work<Result>,
  ): Promise<Result> {
    const [isolation, work] = typeof first === 'string' ? [first, second!] : [undefined, first];
    if (!this.queryRunner && !this.source.insideTransaction)
      return this.source.inNewTransaction(work, isolation);
    return this.source.scopes.runInside<Result>(this.queryRunner, (joined) => {
      const inside: Work<Result> = (manager) => joined(() => work(manager));
      return isolation ? super.transaction(isolation, inside) : super.transaction(inside);
    });
  }

  override save(...given: [never]): Promise<never> {
    return this.#persist(
      given,
      () => super.save(...given),
      (manager) => manager.save(...given),
    );
  }

  override remove(...given: [never]): Promise<never> {
    return this.#persist(
      given,
      () => super.remove(...given),
      (manager) => manager.remove(...given),
    );
  }

  override softRemove(...given: [never]): Promise<never> {
    return this.#persist(
      given,
      () => super.softRemove(...given),
      (manager) => manager.softRemove(...given),
    );
  }

  override recover(...given: [never]): Promise<never> {
    return this.#persist(
      given,
      () => super.recover(...given),
      (manager) => manager.recover(...given),
    );
  }

  /** TypeORM would begin a transaction that subscribers cannot join: on SQLite they would wait for it for ever. */
  #persist(given: readonly unknown[], inside: Work<unknown>, work: Work<unknown>): Promise<never> {
    const { transaction } = (given.at(-1) ?? {}) as SaveOptions;
    const isInside = this.queryRunner !== undefined || this.source.insideTransaction;
    const result = isInside || transaction === false ? inside(this) : this.source.inNewTransaction(work);
    return result as Promise<never>;
  }
}
