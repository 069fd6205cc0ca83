// The public API of this room: what a module may use, besides TypeORM itself.

/** The kinds of columns that all engines have. */
export { columns } from './columns.js';
/** `@Migrations(...)` on a module lists the migrations of its tables. */
export { Migrations, migrationsOfModule } from './migrations/migrations.decorator.js';
/** A migration in plain SQL. */
export { SqlMigration } from './migrations/sql-migration.js';
/** The ids of one table: `provide(Orders, sequence('orders'))`. */
export { sequence, Sequences } from './sequence/sequences.js';
/** `insertOnce` inserts a row once, even if it is tried again. `RepeatedInserts` does so with a statement of your own, for a measured hot path. */
export { insertOnce, RepeatedInserts } from './queries/insert-once.js';
/** One page of a list, in any order, by an index. */
export { keysetPage } from './queries/keyset-page.js';
/** Changes or deletes a row in a single step, by compare-and-set. */
export { changeRow } from './queries/compare-and-set.js';
/** The columns of an entity for `Repository.update`, including the undefined ones. */
export { valuesOf } from './queries/row-values.js';
/** Locks the rows that a query finds until the unit of work ends. */
export { forUpdate } from './queries/query-hints.js';
/** Errors that a repository may catch: a duplicate key, and a database that is unavailable or full. */
export { DatabaseUnavailable, DuplicateKey, isFull } from './errors.js';
/** A lock that one process has at a time, such as to run a job. `minuteOf` is the time that a `@Cron` method runs for. */
export { Leases, minuteOf } from './leases/leases.js';
/** The time by the clock of the database, which all replicas share. */
export { DatabaseClock } from './database-clock.js';
/** For a measured hot path: concurrent calls become one, on the data source that units of work join. */
export { Batch } from './batch.js';
export { JoiningDataSource } from './units/data-source.js';
