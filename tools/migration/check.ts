import { MODULES } from '../../src/app.module.js';
import { serverOf, withMigratedDatabases } from './migrated-databases.js';
import { differenceOf } from './schema-difference.js';
import { serviceTables } from './service-tables.js';

/** The statements that would change databases with every migration to match the schemas. There must be none. @throws Refusal */
export async function check(
  environment: NodeJS.ProcessEnv,
  modules = MODULES,
): Promise<Record<'SQLite' | 'MySQL', readonly string[]>> {
  const server = serverOf(environment);
  return withMigratedDatabases(server, await serviceTables(modules), async ({ sqlite, mysql }) => ({
    SQLite: (await differenceOf(sqlite)).forwards,
    MySQL: (await differenceOf(mysql)).forwards,
  }));
}
