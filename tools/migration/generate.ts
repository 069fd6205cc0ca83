import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Entity } from '../../src/platform/database/data-source-options.js';
import type { ComparingDataSource } from './comparing-data-source.js';
import { abandonedTables, changedColumns } from './data-changes.js';
import { serverOf, withMigratedDatabases } from './migrated-databases.js';
import { migrationSource, strict, unfilledColumns, withMigration } from './migration-source.js';
import { Refusal } from './refusal.js';
import { type Difference, differenceOf } from './schema-difference.js';
import { type ModuleFile, moduleFiles, serviceTables } from './service-tables.js';

/** The written migration, and what to consider before it is applied. */
export interface Generated {
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const DATABASE_API = join('src', 'platform', 'database', 'index.js');

/**
 * Writes the next migration of a module. It contains the difference between the schemas of the module and databases that have
 * every migration.
 * @param module the name of the module's folder
 * @param name what the migration does, in kebab case
 * @param isConfirmed whether columns and tables may be dropped or renamed
 * @throws Refusal, before anything is written
 */
export async function generate(
  module: string,
  name: string,
  environment: NodeJS.ProcessEnv,
  isConfirmed = false,
): Promise<Generated> {
  if (!NAME.test(name))
    throw new Refusal(`Name the migration in lower case with hyphens, such as add-birthday, not ${name}.`);
  const server = serverOf(environment);
  const tables = await serviceTables();
  const modules = moduleFiles(tables);
  const chosen = moduleNamed(module, modules);
  const { file } = chosen;
  const adapters = join(dirname(file), 'adapters', 'typeorm');
  const folder = existsSync(adapters) ? adapters : dirname(file);
  const target = join(folder, `${name}.migration.ts`);
  if (existsSync(target)) throw new Refusal(`${target} exists. Give this migration another name.`);
  const changed = withMigration(
    await readFile(file, 'utf8'),
    name,
    pathFrom(dirname(file), target),
    pathFrom(dirname(file), DATABASE_API),
  );
  if (changed === undefined) throw new Refusal(`${file} has no @Module to put @Migrations before.`);
  const { sqlite, mysql } = await withMigratedDatabases(server, tables, async (databases) => {
    const found = await differenceIn(databases, chosen, modules);
    const told = [
      ...changedColumns(found.sqlite, found.mysql),
      ...(await abandonedTables(databases.mysql, found.mysql)),
    ];
    if (told.length > 0 && !isConfirmed)
      throw new Refusal([...told, 'If you want this, repeat the command with --confirm.'].join('\n'));
    return found;
  });
  const text = migrationSource(name, Date.now(), pathFrom(folder, DATABASE_API), {
    sqlite: { forwards: sqlite.forwards.map(strict), backwards: sqlite.backwards.map(strict) },
    mysql,
  });
  await writeFile(target, text, { flag: 'wx' });
  await writeFile(file, changed);
  return { files: [target, file], warnings: unfilledColumns(mysql.forwards) };
}

function moduleNamed(name: string, modules: readonly ModuleFile[]): ModuleFile {
  const found = modules.find((one) => one.name === name);
  if (found) return found;
  throw new Refusal(`No module ${name} has tables. The modules with tables are ${namesOf(modules)}.`);
}

type OnBoth<Value> = Readonly<Record<'sqlite' | 'mysql', Value>>;

/** @throws Refusal if there is no difference */
async function differenceIn(
  { sqlite, mysql }: OnBoth<ComparingDataSource>,
  chosen: ModuleFile,
  modules: readonly ModuleFile[],
): Promise<OnBoth<Difference>> {
  const differenceOn = (source: ComparingDataSource, { entities }: ModuleFile) =>
    differenceOf(
      source,
      entities.flatMap((entity) => tablesOf(source, entity)),
    );
  const difference = async (module: ModuleFile) => ({
    sqlite: await differenceOn(sqlite, module),
    mysql: await differenceOn(mysql, module),
  });
  const found = await difference(chosen);
  if (!isNone(found)) return found;
  const others: ModuleFile[] = [];
  for (const other of modules) if (!isNone(await difference(other))) others.push(other);
  const what = `The schemas of ${chosen.name} do not differ from its migrations, so there is nothing to write.`;
  throw new Refusal(others.length === 0 ? what : `${what} The modules that differ are ${namesOf(others)}.`);
}

const isNone = ({ sqlite, mysql }: OnBoth<Difference>) =>
  sqlite.forwards.length === 0 && mysql.forwards.length === 0;

const namesOf = (modules: readonly ModuleFile[]) =>
  modules
    .map(({ name }) => name)
    .toSorted()
    .join(', ');

function tablesOf(source: ComparingDataSource, entity: Entity): string[] {
  const { tableName, closureJunctionTable, manyToManyRelations } = source.getMetadata(entity);
  const between = manyToManyRelations.flatMap(({ isOwning, junctionEntityMetadata }) =>
    isOwning && junctionEntityMetadata ? junctionEntityMetadata.tableName : [],
  );
  return [tableName, ...between, ...(closureJunctionTable ? [closureJunctionTable.tableName] : [])];
}

const pathFrom = (folder: string, target: string) => relative(folder, target).replaceAll('\\', '/');
