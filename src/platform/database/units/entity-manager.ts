import { type DataSource, EntityManager, type QueryRunner, type SaveOptions } from 'typeorm';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';

export type Work<Result> = (manager: EntityManager) => Promise<Result>;

/** What a manager needs of the data source. */
interface ManagerSource extends DataSource {
  readonly insideTransaction: boolean;
  runOnce<Result>(work: Work<Result>, isolation?: IsolationLevel): Promise<Result>;
  runNested<Result>(
    runner: QueryRunner | undefined,
    begin: (joined: (work: () => Promise<Result>) => Promise<Result>) => Promise<Result>,
  ): Promise<Result>;
}

type Persisting = 'save' | 'remove' | 'softRemove' | 'recover';

/** An entity manager. All code inside its transactions joins them, even code that does not use the manager that is passed. */
export class JoiningEntityManager extends EntityManager {
  constructor(
    private readonly source: ManagerSource,
    runner?: QueryRunner,
  ) {
    super(source, runner);
  }

  override transaction<Result>(work: Work<Result>): Promise<Result>;
  override transaction<Result>(isolation: IsolationLevel, work: Work<Result>): Promise<Result>;
  override async transaction<Result>(
    first: IsolationLevel | Work<Result>,
    second?: Work<Result>,
  ): Promise<Result> {
    const [isolation, work] = typeof first === 'string' ? [first, second!] : [undefined, first];
    if (!this.#isInside) return this.source.runOnce(work, isolation);
    return this.source.runNested<Result>(this.queryRunner, (joined) => {
      const inside: Work<Result> = (manager) => joined(() => work(manager));
      return isolation ? super.transaction(isolation, inside) : super.transaction(inside);
    });
  }

  override save(...given: [never]): Promise<never> {
    return this.#persist('save', given);
  }

  override remove(...given: [never]): Promise<never> {
    return this.#persist('remove', given);
  }

  override softRemove(...given: [never]): Promise<never> {
    return this.#persist('softRemove', given);
  }

  override recover(...given: [never]): Promise<never> {
    return this.#persist('recover', given);
  }

  /** TypeORM would begin a transaction that subscribers cannot join. On SQLite they would wait for it for ever. */
  #persist(method: Persisting, given: unknown[]): Promise<never> {
    const persist = EntityManager.prototype[method] as (...given: readonly unknown[]) => Promise<never>;
    const { transaction } = (given.at(-1) ?? {}) as SaveOptions;
    if (this.#isInside || transaction === false) return persist.call(this, ...given);
    return this.source.runOnce((manager) => persist.call(manager, ...given));
  }

  get #isInside(): boolean {
    return this.queryRunner !== undefined || this.source.insideTransaction;
  }
}
