import { SqlMigration } from '../../../platform/database/index.js';

/**
 * Adds the hash of the records that an import has done. It is NULL for an import that has ended, such as each import of version
 * 1.1.
 */
export class AddRecordsHash extends SqlMigration {
  readonly name = 'AddRecordsHash1795784400000';

  protected readonly forwards = {
    sqlite: ['ALTER TABLE imports ADD COLUMN records_hash TEXT'],
    mysql: [
      'ALTER TABLE imports ADD COLUMN records_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL',
    ],
  };

  protected readonly backwards = ['ALTER TABLE imports DROP COLUMN records_hash'];
}
