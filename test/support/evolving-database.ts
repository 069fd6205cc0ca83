import { EntitySchema, type EntitySchemaColumnOptions, type EntitySchemaOptions } from 'typeorm';
import {
  dataSourceOptions,
  type Entity,
  LeaseRows,
  LeaseSchema,
  type MigrationClass,
  Migrator,
} from './rooms/database.js';
import { JoiningDataSource, Leases, SqlMigration } from '../../src/platform/database/index.js';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { ComparingDataSource } from '../../tools/migration/comparing-data-source.js';
import { strict } from '../../tools/migration/migration-source.js';
import { type Difference, differenceOf } from '../../tools/migration/schema-difference.js';
import type { Engine, TestDatabase } from './engines.js';

export type Columns = Record<string, EntitySchemaColumnOptions>;

const ID = { type: 'int', primary: true } as const;

export const table = (
  name: string,
  columns: Columns,
  more: Partial<EntitySchemaOptions<Record<string, unknown>>> = {},
) => new EntitySchema({ name, columns: { id: ID, ...columns }, ...more });

export const owner = (more: Columns = {}) =>
  table('owner', { name: { type: 'varchar', length: 20 }, ...more });

/** The difference between the tables at this URL and the entities, or `only` the entities of some tables. */
export async function differenceAt(
  url: string,
  entities: readonly Entity[],
  only?: readonly string[],
): Promise<Difference> {
  const source = new ComparingDataSource(parseDatabaseUrl(url), entities);
  await source.initialize();
  return differenceOf(source, only).finally(() => source.destroy());
}

/** A database that a test migrates from entities to entities, with the migrations that `npm run migration:generate` derives. */
export class EvolvingDatabase {
  readonly migrations: MigrationClass[] = [];
  #entities: Entity[] = [];

  private constructor(readonly database: TestDatabase) {}

  static async create(engine: Engine): Promise<EvolvingDatabase> {
    return new EvolvingDatabase(await engine.create());
  }

  async become(...entities: Entity[]): Promise<Difference> {
    const difference = await this.differenceTo(...entities);
    this.add(difference);
    this.#entities = entities;
    await this.migrate();
    return difference;
  }

  add({ forwards, backwards }: Difference): void {
    const name = `Step${1_800_000_000_000 + this.migrations.length}`;
    const [up, down] = [forwards, backwards].map((statements) => ({
      sqlite: statements.map(strict),
      mysql: statements,
    }));
    this.migrations.push(
      class extends SqlMigration {
        readonly name = name;
        protected readonly forwards = up!;
        protected readonly backwards = down!;
      },
    );
  }

  differenceTo(...entities: Entity[]): Promise<Difference> {
    return differenceAt(this.database.url, entities);
  }

  migrate(): Promise<string[]> {
    return this.#migrator((migrator) => migrator.migrate());
  }

  revert(): Promise<void> {
    return this.#migrator(async (migrator) => {
      const newest = await migrator.newest();
      await migrator.revert(newest!);
    });
  }

  async with<Result>(
    entities: Entity[],
    work: (source: JoiningDataSource) => Promise<Result>,
  ): Promise<Result> {
    const options = dataSourceOptions(parseDatabaseUrl(this.database.url), 2, this.migrations);
    const source = new JoiningDataSource({ ...options, entities: [LeaseSchema, ...entities] });
    await source.initialize();
    try {
      return await work(source);
    } finally {
      await source.destroy();
    }
  }

  #migrator<Result>(work: (migrator: Migrator) => Promise<Result>): Promise<Result> {
    // With the entities, because TypeORM creates a metadata table if there are views among them.
    return this.with(this.#entities, (source) =>
      work(new Migrator(source, new Leases(source, new LeaseRows(source)))),
    );
  }
}
