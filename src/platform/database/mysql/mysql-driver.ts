import { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { refuseType } from '../refused-types.js';

/** TypeORM's driver, which takes only the types of columns that each engine has. */
export class MySqlDriver extends MysqlDriver {
  override normalizeType(column: Parameters<MysqlDriver['normalizeType']>[0]): string {
    refuseType(column as Partial<ColumnMetadata>);
    return super.normalizeType(column);
  }

  /** TypeORM makes a varchar of a uuid, but only for a new column it knows the length. */
  override getColumnLength(column: ColumnMetadata): string {
    return super.getColumnLength(column) || (column.type === 'uuid' ? '255' : '');
  }
}
