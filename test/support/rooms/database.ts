// What tests use of the room database beyond its public API. If a file of the room moves, only this file changes.

// A database that a test opens itself, its migrations, and the tables of the platform.
export { type Entity, dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
export type { MigrationClass } from '../../../src/platform/database/migrations/migrations.decorator.js';
export { Migrator } from '../../../src/platform/database/migrations/migrator.js';
export { DatabaseFile } from '../../../src/platform/database/sqlite/database-file.js';
export { keepObjects } from '../../../src/platform/database/sqlite/kept-objects.js';
export { LeaseRows, LeaseSchema } from '../../../src/platform/database/leases/lease-rows.js';
export { CREATE_LEASES } from '../../../src/platform/database/migrations/create-leases.migration.js';
export { CreateSequences } from '../../../src/platform/database/sequence/create-sequences.migration.js';
export { SequenceSchema, TypeOrmSequence } from '../../../src/platform/database/sequence/sequences.js';

// Jobs and leases, whose ends tests recognise.
export { LeaseLost } from '../../../src/platform/database/leases/leases.js';
export { OldRows, Purge } from '../../../src/platform/database/leases/purge.js';

// How errors of drivers are classified, and what is tried again: functions with many cases.
export { CLASSES, type ErrorClass, listedClassOf } from '../../../src/platform/database/error-table.js';
export {
  DatabaseNotOpen,
  DatabaseUnusable,
  StatementFailed,
  afterCommit,
  beforeCommit,
  isMissingTable,
  reasonOf,
  translateError,
} from '../../../src/platform/database/errors.js';
export { type Repeatable, Retries, repeatableOf } from '../../../src/platform/database/units/retries.js';
export { batchBegun } from '../../../src/platform/database/database-channels.js';

// Whole modules, which test/interleavings runs with and without faults.
export * as batch from '../../../src/platform/database/batch.js';
export * as leases from '../../../src/platform/database/leases/leases.js';
