import type { QueryRunner, ReplicationMode } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import type { DatabaseUrl } from '../../src/platform/config/database-url.js';
import {
  dataSourceOptions,
  type Entity,
  entitiesFor,
} from '../../src/platform/database/create-data-source.js';
import { JoiningDataSource } from '../../src/platform/database/data-source.js';
import type { MigrationClass } from '../../src/platform/database/migrations/migrations.decorator.js';
import { ComparingMySqlDriver, ComparingMySqlRunner } from './mysql-comparison.js';
import { ComparingSqliteRunner } from './sqlite-comparison.js';

/** The data source of the service, in which TypeORM compares tables with schemas as the comments of its runners say. */
export class ComparingDataSource extends JoiningDataSource {
  constructor(url: DatabaseUrl, entities: readonly Entity[], migrations: MigrationClass[] = []) {
    super({ ...dataSourceOptions(url, 2, migrations), entities: entitiesFor(url.engine, entities) });
    if (this.driver instanceof MysqlDriver) this.driver = new ComparingMySqlDriver(this);
  }

  override createQueryRunner(mode: ReplicationMode = 'master'): QueryRunner {
    const runner =
      this.driver instanceof MysqlDriver
        ? new ComparingMySqlRunner(this.driver, mode, this.retries)
        : new ComparingSqliteRunner(this.driver as BetterSqlite3Driver, this.mutex, this.retries);
    runner.manager = this.createEntityManager(runner);
    return runner;
  }
}
