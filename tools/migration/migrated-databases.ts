import { randomBytes } from 'node:crypto';
import { type DatabaseUrl, describeHost, parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { JoiningDataSource } from '../../src/platform/database/units/data-source.js';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { type DatabaseUnavailable, translateError } from '../../src/platform/database/errors.js';
import { ComparingDataSource } from './comparing-data-source.js';
import { Refusal } from './refusal.js';
import type { ServiceTables } from './service-tables.js';

type MySqlUrl = Extract<DatabaseUrl, { engine: 'mysql' }>;
type Source = ComparingDataSource;

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/**
 * Runs `work` with a new database of each engine that has every migration, then drops both. The database of MySQL is created on
 * `server`. @throws Refusal
 */
export function withMigratedDatabases<Result>(
  server: MySqlUrl,
  tables: ServiceTables,
  work: (databases: Record<'sqlite' | 'mysql', Source>) => Promise<Result>,
): Promise<Result> {
  return withMigrated({ engine: 'sqlite', file: ':memory:' }, tables, (sqlite) =>
    withNewDatabase(server, (url) => withMigrated(url, tables, (mysql) => work({ sqlite, mysql }))),
  );
}

async function withMigrated<Result>(
  url: DatabaseUrl,
  { entities, migrations }: ServiceTables,
  work: (source: Source) => Promise<Result>,
): Promise<Result> {
  const source = new ComparingDataSource(url, entities, migrations);
  try {
    await source
      .initialize()
      .then(() => source.runMigrations({ transaction: 'each' }))
      .catch((error: unknown) => {
        throw new Refusal(`${sentence(error)} Look at the entity or the migration that this is about.`);
      });
    return await work(source);
  } finally {
    if (source.isInitialized) await source.destroy();
  }
}

async function withNewDatabase<Result>(
  server: MySqlUrl,
  work: (url: DatabaseUrl) => Promise<Result>,
): Promise<Result> {
  // Every user may use this database.
  const url = { ...server, database: 'information_schema' };
  const administration = new JoiningDataSource(dataSourceOptions(url, 1, []));
  const database = `${server.database.slice(0, 40)}_migration_${randomBytes(4).toString('hex')}`;
  const at = `MySQL on ${server.hosts.map(describeHost).join(', ')}`;
  try {
    await administration.initialize().catch((error: unknown) => {
      const { remedy = 'Check that it runs, and check DATABASE_URL.' } = translateError(
        error,
      ) as Partial<DatabaseUnavailable>;
      throw new Refusal(`${at} cannot be used: ${sentence(error)} ${remedy}`);
    });
    administration.open();
    const runner = administration.createQueryRunner();
    // On a busy server this statement may need longer than a request allows.
    await runner.beforeMigration();
    await runner.query(`CREATE DATABASE ${quoted(database)}`).catch((error: unknown) => {
      const names = quoted(`${server.database.replaceAll('_', '\\_')}\\_%`);
      throw new Refusal(
        `${at} needs a temporary database, which cannot be created. ${sentence(error)} ` +
          `As its administrator, run GRANT ALL ON ${names}.* TO '${server.user}'@'%';`,
      );
    });
    try {
      return await work({ ...server, database });
    } finally {
      await runner.query(`DROP DATABASE ${quoted(database)}`);
      await runner.release();
    }
  } finally {
    if (administration.isInitialized) await administration.destroy();
  }
}

/** The server of `DATABASE_URL`. @throws Refusal */
export function serverOf({ DATABASE_URL: text }: NodeJS.ProcessEnv): MySqlUrl {
  const example = 'such as DATABASE_URL=mysql://root:@127.0.0.1:3306/petstore.';
  let url: DatabaseUrl | undefined;
  try {
    url = text ? parseDatabaseUrl(text) : undefined;
  } catch (error) {
    throw new Refusal(`DATABASE_URL ${(error as Error).message}.`, { cause: error });
  }
  if (url?.engine === 'mysql') return url;
  throw new Refusal(
    `A migration is written for both engines, so DATABASE_URL must name a MySQL or MariaDB server, ${example} ` +
      'That database is not changed. A temporary database is created beside it, and dropped.',
  );
}

/** The message with the driver's code and reason, which the service's own errors hide from clients. */
function sentence(error: unknown): string {
  const { message, cause } = translateError(error) as Error;
  const reason = cause instanceof Error ? cause.message : message;
  return `${reason.replace(/\.$/, '')}.`;
}
