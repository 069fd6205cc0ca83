import { SqlMigration } from '../../../platform/database/index.js';

/** The table of receivers. */
export class CreateReceivers extends SqlMigration {
  readonly name = 'CreateReceivers1796001222151';
  protected override readonly sequences = ['receivers'];

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE IF NOT EXISTS receivers (
         id INTEGER NOT NULL PRIMARY KEY,
         url TEXT NOT NULL,
         secret TEXT NOT NULL
       ) STRICT`,
    ],
    mysql: [
      `CREATE TABLE IF NOT EXISTS receivers (
         id BIGINT NOT NULL PRIMARY KEY,
         url VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         secret VARCHAR(80) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL
       ) ENGINE = InnoDB`,
    ],
  };

  protected readonly backwards = ['DROP TABLE receivers'];
}
