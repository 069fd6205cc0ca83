import type { EntitySchema } from 'typeorm';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Sequence } from '../../src/kernel/sequence.js';
import type { UnitOfWork } from '../../src/kernel/unit-of-work.js';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import {
  CreateSequences,
  dataSourceOptions,
  type MigrationClass,
  SequenceSchema,
  TypeOrmSequence,
} from './rooms/database.js';
import { JoiningDataSource } from '../../src/platform/database/index.js';
import { CanvasSql } from './canvas-sql.js';
import { MemorySequence } from './memory/memory-sequence.js';
import { MemoryUnitOfWork } from './memory/memory-unit-of-work.js';
import { mySql, onMySqlToo, sqlite, type TestDatabase } from './engines.js';
import { eventually } from './eventually.js';
import { PatientRetries } from './patient-retries.js';

/** The largest number of concurrent calls in a contract: each gets a connection. */
const RIVALS = 50;
/** In ms. On a busy machine, connecting may exceed the connect timeout of a service. */
const PATIENT = { connectTimeout: 30_000 };

/** The adapters that a contract tests: in memory, and on the tables of their migrations. */
export interface Adapters<Ports> {
  /** The module whose canvas has the statements of these adapters; absent for adapters of the platform. */
  readonly module?: string;
  readonly migrations: MigrationClass[];
  readonly schemas: EntitySchema[];
  inMemory(units: MemoryUnitOfWork): Ports;
  inTypeOrm(source: JoiningDataSource): Ports;
}

/** An empty store with its adapters. */
export type Store<Ports> = Ports & {
  readonly units: UnitOfWork;
  /** The sequence as one replica uses it; one of the migrations creates it. */
  sequence(name: string): Sequence;
  close(): Promise<void>;
};

/** Runs a contract over every adapter: in memory, and on each real engine, whose tables are empty whenever it opens them. */
export function overEveryAdapter<Ports extends object>(
  adapters: Adapters<Ports>,
  contract: (open: () => Promise<Store<Ports>>) => void,
): void {
  describe('in memory', () => contract(() => Promise.resolve(openMemory(adapters))));
  onMySqlToo((engine) => {
    const sql = new CanvasSql();
    let database: TestDatabase;
    let source: JoiningDataSource;
    beforeAll(async () => {
      database = await engine.create();
      source = await openSource(database.url, adapters, sql);
    });
    afterAll(async () => {
      await source.destroy();
      await database.drop();
    });
    contract(async () => {
      const tables = source.entityMetadatas.map(({ tableName }) => tableName);
      const empty = tables.map((table) =>
        table === 'sequences' ? 'UPDATE sequences SET next_id = 1' : `DELETE FROM ${table}`,
      );
      // Tables may refer to each other.
      const unchecked = engine === sqlite ? 'PRAGMA foreign_keys = 0' : 'SET foreign_key_checks = 0';
      await database.execute(unchecked, ...empty);
      // Ids that a sequence still reserves must not disturb the next test.
      const isIdle = async () => source.usage().used + source.usage().waiting === 0;
      return { ...storeOver(source, adapters, sql), close: () => eventually(isIdle, 10_000) };
    });
    // MySQL gets the same statements as MariaDB.
    if (adapters.module !== undefined && engine !== mySql) sql.compareAtEnd(adapters.module, engine.name);
  });
}

/** A store on a real engine. */
export async function openTypeOrm<Ports extends object>(
  url: string,
  adapters: Adapters<Ports>,
): Promise<Store<Ports>> {
  const sql = new CanvasSql();
  return storeOver(await openSource(url, adapters, sql), adapters, sql);
}

/** A data source with the tables of these migrations; `sql` records the statements of a module. */
export async function openSource(
  url: string,
  adapters: Pick<Adapters<unknown>, 'module' | 'migrations' | 'schemas'>,
  sql = new CanvasSql(),
): Promise<JoiningDataSource> {
  const migrations = [CreateSequences, ...adapters.migrations];
  const entities = [SequenceSchema, ...adapters.schemas];
  const options = dataSourceOptions(parseDatabaseUrl(url), RIVALS, migrations);
  const source = new JoiningDataSource({
    ...options,
    ...(options.type === 'mysql' && PATIENT),
    ...(adapters.module !== undefined && { logger: sql.logger, logging: ['query'] as const }),
    entities,
  });
  Object.assign(source, { retries: new PatientRetries() });
  await source.initialize();
  source.open();
  await source.runMigrations({ transaction: 'each' });
  return source;
}

function storeOver<Ports extends object>(
  source: JoiningDataSource,
  adapters: Adapters<Ports>,
  sql: CanvasSql,
): Store<Ports> {
  const ports = adapters.inTypeOrm(source);
  return {
    ...(adapters.module === undefined ? ports : sql.watched(ports)),
    units: source,
    sequence: (name) => new TypeOrmSequence(name, source),
    close: () => source.destroy(),
  };
}

function openMemory<Ports>(adapters: Adapters<Ports>): Store<Ports> {
  const units = new MemoryUnitOfWork();
  const sequence = new MemorySequence();
  return { ...adapters.inMemory(units), units, sequence: () => sequence, close: () => Promise.resolve() };
}
