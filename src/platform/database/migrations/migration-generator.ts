import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { DomainError } from '../../../kernel/domain-error.js';
import { Clock } from '../../../kernel/clock.js';
import { Settings } from '../../config/settings.js';
import { createDataSource, dataSourceOptions, type Entity } from '../create-data-source.js';
import { JoiningDataSource } from '../data-source.js';
import { migrationSource, strict, withMigration } from './migration-source.js';
import { migrationsOf } from './migrations.decorator.js';
import { Migrator } from './migrator.js';
import { type Difference, differenceOf } from './schema-difference.js';
import { unfilledColumns } from './unfilled-columns.js';

export class NoMigration extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'no_migration';
}

/** What was written, and what to heed before it is applied. */
export interface Generated {
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

/** A module whose schemas differ from its migrations. */
interface Changed {
  /** `src/pets/pets.module.ts` */
  readonly file: string;
  readonly folder: string;
  readonly tables: readonly string[];
  readonly onSqlite: Difference;
}

/**
 * Writes the next migration of a module. The difference for SQLite is computed in memory from all migrations, the one for MySQL
 * on the server of `DATABASE_URL`. Changes only files.
 */
@Injectable()
export class MigrationGenerator {
  constructor(
    private readonly source: JoiningDataSource,
    private readonly migrator: Migrator,
    private readonly modules: ModulesContainer,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @param name what the migration does, in kebab case. @throws NoMigration */
  async generate(name: string, module?: string): Promise<Generated> {
    const { file, folder, tables, onSqlite } = this.#choose(await this.#changed(), module);
    const onMySql = await this.#onMySql(tables);
    const target = join(folder, `${name}.migration.ts`);
    if (existsSync(target)) throw new NoMigration(`${target} exists. Give this migration another name.`);
    const path = pathFrom(dirname(file), target);
    const changed = withMigration(
      await readFile(file, 'utf8'),
      name,
      path,
      pathFrom(dirname(file), MIGRATIONS),
    );
    if (changed === undefined) throw new NoMigration(`${file} has no @Module to put @Migrations before.`);
    const text = migrationSource(name, this.clock.now(), pathFrom(folder, MIGRATIONS), {
      sqlite: { forwards: onSqlite.forwards.map(strict), backwards: onSqlite.backwards.map(strict) },
      mysql: onMySql,
    });
    await writeFile(target, text, { flag: 'wx' });
    await writeFile(file, changed);
    return { files: [target, file], warnings: unfilledColumns(onMySql.forwards) };
  }

  #choose(changed: Changed[], module: string | undefined): Changed {
    const chosen = changed.filter(({ file }) => !module || file.endsWith(`/${module}.module.ts`));
    const [only, ...others] = chosen;
    if (!only)
      throw new NoMigration('No difference between schemas and migrations: there is nothing to write.');
    if (others.length === 0) return only;
    const names = chosen.map(({ file }) => /([^/]+)\.module\.ts$/.exec(file)![1]);
    throw new NoMigration(`Several modules have changed: ${names.join(', ')}. Choose one with --module.`);
  }

  async #changed(): Promise<Changed[]> {
    if (!existsSync('src/app.module.ts'))
      throw new NoMigration('There is no source here. Run this command in the folder of the project.');
    const found: Changed[] = [];
    for (const [file, tables] of this.#tables()) {
      const url = { engine: 'sqlite', file: ':memory:' } as const;
      const source = createDataSource({
        ...dataSourceOptions(url, 1, migrationsOf(this.modules)),
        entities: this.#entities,
      });
      await source.initialize();
      await source.beforeOpen(() => source.runMigrations({ transaction: 'each' }));
      const onSqlite = await differenceOf(source, tables);
      await source.destroy();
      const adapters = join(file, '..', 'adapters', 'typeorm');
      const folder = existsSync(adapters) ? adapters : join(file, '..');
      if (onSqlite.forwards.length > 0) found.push({ file, folder, tables, onSqlite });
    }
    return found;
  }

  async #onMySql(tables: readonly string[]): Promise<Difference> {
    const { database } = this.settings;
    if (database.engine !== 'mysql')
      throw new NoMigration(
        'A migration is written for both engines, so DATABASE_URL must name a MySQL or MariaDB: an empty one will do.',
      );
    if (!(await this.migrator.isUpToDate()))
      throw new NoMigration('The database lacks migrations. Run "petstore db migrate" first.');
    const source = createDataSource({ ...dataSourceOptions(database, 2, []), entities: this.#entities });
    await source.initialize();
    try {
      return await differenceOf(source, tables);
    } finally {
      await source.destroy();
    }
  }

  get #entities(): Entity[] {
    return Object.values(this.source.options.entities ?? []) as Entity[];
  }

  /** The tables of each module, by its file. They may refer to tables of other modules. */
  #tables(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const { metatype, imports } of this.modules.values()) {
      const features = [...imports].filter((imported) => imported.metatype === TypeOrmModule);
      const own = this.#entities.filter((entity) =>
        features.some(({ providers }) => providers.has(getRepositoryToken(entity))),
      );
      const file = fileOf(metatype.name);
      if (own.length > 0 && file !== undefined)
        found.set(
          file,
          own.flatMap((entity) => this.#tablesOf(entity)),
        );
    }
    return found;
  }

  #tablesOf(entity: Entity): string[] {
    const { tableName, closureJunctionTable, manyToManyRelations } = this.source.getMetadata(entity);
    const between = manyToManyRelations.flatMap(({ isOwning, junctionEntityMetadata }) =>
      isOwning && junctionEntityMetadata ? junctionEntityMetadata.tableName : [],
    );
    return [tableName, ...between, ...(closureJunctionTable ? [closureJunctionTable.tableName] : [])];
  }
}

const MIGRATIONS = join('src', 'platform', 'database', 'migrations');

const pathFrom = (folder: string, target: string) => relative(folder, target).replaceAll('\\', '/');

/** The file of a module, by convention: `PetsModule` in `src/pets/pets.module.ts`. */
function fileOf(className: string): string | undefined {
  const name = className
    .replace(/Module$/, '')
    .replaceAll(/(?<!^)([A-Z])/g, '-$1')
    .toLowerCase();
  return [`src/${name}/${name}.module.ts`, `src/platform/${name}/${name}.module.ts`].find(existsSync);
}
