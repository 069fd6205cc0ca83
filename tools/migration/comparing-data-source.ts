import type { QueryRunner, ReplicationMode } from 'typeorm';
import { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import type { DatabaseUrl } from '../../src/platform/config/database-url.js';
import { dataSourceOptions, type Entity } from '../../src/platform/database/data-source-options.js';
import { JoiningDataSource } from '../../src/platform/database/units/data-source.js';
import type { MigrationClass } from '../../src/platform/database/migrations/migrations.decorator.js';
import { Collations } from './collations.js';
import { Refusal } from './refusal.js';
import { ComparingMySqlDriver, ComparingMySqlRunner } from './mysql-comparison.js';
import { ComparingSqliteDriver, ComparingSqliteRunner } from './sqlite-comparison.js';

const TIME = /^CURRENT_TIMESTAMP\((\d)\)$/;

/** The data source of the service, but with runners that compare tables and schemas more exactly than TypeORM does. */
export class ComparingDataSource extends JoiningDataSource {
  constructor(url: DatabaseUrl, entities: readonly Entity[], migrations: MigrationClass[] = []) {
    super({ ...dataSourceOptions(url, 2, migrations), entities: [...entities] });
    this.driver =
      this.driver instanceof MysqlDriver ? new ComparingMySqlDriver(this) : new ComparingSqliteDriver(this);
  }

  /**
   * @throws Refusal for a time whose default has another precision, because MySQL rejects such a default, and MariaDB stores
   * another
   */
  protected override async buildMetadatas(): Promise<void> {
    await super.buildMetadatas();
    for (const column of this.entityMetadatas.flatMap(({ columns }) => columns)) {
      const [, digits] = TIME.exec(this.driver.normalizeDefault(column) ?? '') ?? [];
      if (digits !== undefined && Number(digits) !== (column.precision ?? 0))
        throw new Refusal(
          `${column.propertyName} of ${column.entityMetadata.name} has another precision than its default, CURRENT_TIMESTAMP(${digits}), ` +
            'which does not work on all servers. Use columns.instant, and set the value from the clock.',
        );
    }
  }

  /** Prepares the next comparison of the tables with the schemas. */
  async readCollations(): Promise<void> {
    if (!(this.driver instanceof ComparingMySqlDriver)) return;
    this.driver.collations ??= new Collations(this);
    await this.driver.collations.read();
  }

  override createQueryRunner(mode: ReplicationMode = 'master'): QueryRunner {
    return this.driver instanceof MysqlDriver
      ? new ComparingMySqlRunner(this.driver, mode, this.retries)
      : new ComparingSqliteRunner(this.driver as ComparingSqliteDriver, this.mutex, this.retries);
  }
}
